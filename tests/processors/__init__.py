"""Generated C on other processors than the one the tests run on."""
