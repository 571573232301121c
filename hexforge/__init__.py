"""Compile hex wargames into VASSAL modules, and judge the games played with them."""
