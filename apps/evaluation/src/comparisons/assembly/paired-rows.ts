import type { PairedRowsDto } from '@hone/contracts';

import type { RunTable } from './run-table.js';

const MAX_DIGESTS = 20;

/** How the rows of the baseline and of a candidate meet. */
export function rowsOf(table: RunTable, run: number): PairedRowsDto {
  const { digests } = table;
  const only = (one: number, other: number): string[] =>
    digests.filter((_digest, row) => table.isPresent(one, row) && !table.isPresent(other, row));
  const [ofBaseline, ofCandidate] = [only(0, run), only(run, 0)];
  return {
    paired: digests.filter((_digest, row) => table.isPresent(0, row) && table.isPresent(run, row)).length,
    ...{ baseline_only: ofBaseline.length, candidate_only: ofCandidate.length },
    baseline_only_digests: ofBaseline.sort().slice(0, MAX_DIGESTS),
    candidate_only_digests: ofCandidate.sort().slice(0, MAX_DIGESTS),
  };
}
