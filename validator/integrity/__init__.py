"""What files say of themselves before any rule is asked: whether logs and sheets follow from one another, and what
their dice show. For games of any module."""
