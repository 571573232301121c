"""The folders of Hexforge as one package, so that whatever reads the tree as it lies can follow its imports."""
