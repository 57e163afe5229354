"""A lending library of ours in Django's admin: what the end-to-end scripts work on."""
