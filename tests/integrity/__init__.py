"""Tests of what files say before any rule is asked."""
