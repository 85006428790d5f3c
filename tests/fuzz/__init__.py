"""A fuzzer: random texts under random options, every law checked, and what breaks one shrunk into a test.

`python -m tests.fuzz --inputs 100000 --seed 1` runs it; the same seed gives the same inputs, and `--only NUMBER` any
one of them alone. `generators` makes texts, `inputs` adds options, `checks` says what must hold, `shrinking` makes a
failure small, and `reports` writes it as a test.
"""
