"""The part of the chronicle archive that holds fights: their sealed logs, and what is kept beside them."""
