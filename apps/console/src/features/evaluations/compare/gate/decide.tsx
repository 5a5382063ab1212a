import type { ComparisonDto } from '@hone/client';
import { useState } from 'react';

import { useRights } from '../../../../shared/data/role.js';
import { Button } from '../../../../shared/ui/button.js';
import type { ComparedRun } from '../../results.js';
import type { MetricJudge } from '../judges.js';
import type { CompareSettings } from '../use-comparison.js';
import { DecideDialog, scoresOf } from './decide-dialog.js';

interface Props {
  readonly runs: readonly ComparedRun[];
  readonly comparison: ComparisonDto;
  readonly judges: ReadonlyMap<string, MetricJudge>;
  readonly settings: CompareSettings;
}

/** Leads from two runs to a decision between them. */
export function Decide({ runs, ...rest }: Props) {
  const { mayWrite } = useRights();
  const [isOpen, setIsOpen] = useState(false);
  if (!mayWrite || runs.length !== 2 || scoresOf(rest.comparison).length === 0) return null;
  return (
    <div>
      <Button kind="primary" onClick={() => setIsOpen(true)}>
        Decide
      </Button>
      {isOpen && <DecideDialog {...rest} runs={runs.map(({ id }) => id)} close={() => setIsOpen(false)} />}
    </div>
  );
}
