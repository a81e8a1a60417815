"""Character cards of versions 1 to 3, which other programs read too: https://github.com/kwaroran/character-card-spec-v3."""
