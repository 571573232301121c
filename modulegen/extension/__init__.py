"""Extensions: their files become a `.vmdx`, which loads with any module, and a small module that stands alone."""
