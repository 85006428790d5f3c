"""Mutation testing: small changes are made to a module, and the tests must notice each of them.

`python -m tests.mutation` makes and judges all mutants of `boundaries`, `sections` and `parts`, with mutmut
(`pip install "mutmut>=3.8"`); a name or several, as in `python -m tests.mutation sections`, those of these modules
alone. It works on a copy, in `build/mutation` of the folder where it is started, and prints for each module how many
were killed, and each mutant that lives though `explained.json` does not say why; such a mutant, or fewer than 85 %
killed, make it end with 1. All mutants of a module can take an hour: `--sample 300` judges so many of them, drawn by a
fixed seed, and says so; `--living` judges again what lived, or was not reached, in the last run.

* `targets`: which modules, and the test files that judge them. Short lists: a mutant that only a distant test notices
  is a rule without a test of its own.
* `running`: prepares the copy, runs mutmut, reads what it found.
* `explained`: reads `explained.json`: the mutants that no test can kill, since they do the same, and why.
* `pytest_plugin`: what pytest needs to judge one mutant after the other in one process.

mutmut changes what is inside functions, and leaves decorated ones (properties), annotations and module constants alone.
"""
