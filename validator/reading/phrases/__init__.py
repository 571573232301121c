"""What people say instead of the notation, put into its words and its order where only one reading is possible."""
