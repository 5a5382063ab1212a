"""
Writes the tables of `oracle.spec.ts`, with the figures of other libraries: run it in this suite's environment, which
`npm run test:python` makes, as `.venv/bin/python write_tables.py`.
"""

import json
from pathlib import Path

from oracles import figures_of
from tables import make_tables

FILE = Path(__file__).parent / "../../../libs/statistics/src/oracle/tables.json"
COUNT = 51
RESAMPLES = 40

tables = make_tables(seed=1, count=COUNT, resamples=RESAMPLES)
cases = [{"table": table, "figures": figures_of(table)} for table in tables]
FILE.write_text("[\n" + ",\n".join(json.dumps(case) for case in cases) + "\n]\n")
