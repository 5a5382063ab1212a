import { useState } from 'react';

import { type ChartGroup, type ChartMeasure, GROUPS, isGroup, MEASURES } from '../../shared/call-charts/measures.js';
import styles from '../../shared/dialog/dialog.module.css';
import { FormDialog } from '../../shared/dialog/form-dialog.js';
import page from '../../shared/page/page.module.css';
import { QueryLine } from '../../shared/query/query-line.js';
import { Input, Select } from '../../shared/ui/input.js';
import { type Chart, type ChartKind, filterProblemOf, KINDS, problemOf, titleOf } from './chart.js';
import own from './dashboards.module.css';

const NEW_CHART: Chart = {
  ...{ title: '', kind: 'line', measures: ['calls'], groups: [], bucketSeconds: null, filter: '', width: 1 },
};
/** Seconds of a bucket -> its name. */
const BUCKETS: Readonly<Record<string, string>> = {
  '60': 'A minute',
  '300': '5 minutes',
  '900': '15 minutes',
  '3600': 'An hour',
  '21600': '6 hours',
  '86400': 'A day',
  '604800': 'A week',
};

interface Props {
  /** Null: a new one. */
  readonly chart: Chart | null;
  readonly submit: (chart: Chart) => void;
  readonly close: () => void;
}

/** Asks for what a chart shows. */
export function ChartDialog({ chart, submit, close }: Props) {
  const [draft, setDraft] = useState(chart ?? NEW_CHART);
  const change = (changed: Partial<Chart>) => setDraft((before) => ({ ...before, ...changed }));
  const { kind, measures, filter } = draft;
  const groups = [...new Set(draft.groups)];
  const whole: Chart = { ...draft, groups };
  const problem = problemOf(whole);
  const isTimed = kind !== 'number' && !(kind === 'table' && groups.length > 0);
  return (
    <FormDialog
      title={chart ? `Change “${titleOf(chart)}”` : 'Add a chart'}
      action={chart ? 'Change chart' : 'Add chart'}
      isPending={false}
      error={null}
      isReady={problem === null && filterProblemOf(filter) === null}
      submit={() => submit(whole)}
      close={close}
    >
      <label>
        Title
        <Input
          maxLength={200}
          placeholder={titleOf({ ...whole, title: '' })}
          value={draft.title}
          onChange={({ target }) => change({ title: target.value })}
        />
      </label>
      <label>
        Shown as
        <Select value={kind} onChange={({ target }) => change({ kind: target.value as ChartKind })}>
          {Object.entries(KINDS).map(([one, name]) => (
            <option key={one} value={one}>
              {name}
            </option>
          ))}
        </Select>
      </label>
      <MeasureFields measures={measures} change={(changed) => change({ measures: changed })} />
      <GroupFields groups={groups} change={(changed) => change({ groups: changed })} />
      {isTimed && (
        <label>
          One bucket is
          <Select
            value={draft.bucketSeconds ?? ''}
            onChange={({ target }) => change({ bucketSeconds: target.value === '' ? null : Number(target.value) })}
          >
            <option value="">As the time suggests</option>
            {bucketChoices(draft.bucketSeconds).map(([seconds, name]) => (
              <option key={seconds} value={seconds}>
                {name}
              </option>
            ))}
          </Select>
        </label>
      )}
      <div>
        <span>Only calls with</span>
        <QueryLine text={filter} apply={(text) => change({ filter: text })} appliesOnBlur />
      </div>
      {problem !== null && (
        <p role="status" className={page['problem']}>
          {problem}
        </p>
      )}
    </FormDialog>
  );
}

/** Buckets that a script chose stay to be chosen. */
const bucketChoices = (seconds: number | null): readonly [seconds: string, name: string][] =>
  seconds === null || Object.hasOwn(BUCKETS, seconds)
    ? Object.entries(BUCKETS)
    : [...Object.entries(BUCKETS), [String(seconds), `${seconds} seconds`]];

interface MeasureProps {
  readonly measures: readonly ChartMeasure[];
  readonly change: (measures: readonly ChartMeasure[]) => void;
}

const MeasureFields = ({ measures, change }: MeasureProps) => (
  <fieldset>
    <legend>Measures</legend>
    <div className={own['measures']}>
      {(Object.keys(MEASURES) as ChartMeasure[]).map((measure) => (
        <label key={measure} className={styles['inline']}>
          <input
            type="checkbox"
            checked={measures.includes(measure)}
            onChange={({ target }) =>
              change(target.checked ? [...measures, measure] : measures.filter((one) => one !== measure))
            }
          />
          {MEASURES[measure].label}
        </label>
      ))}
    </div>
  </fieldset>
);

interface GroupProps {
  readonly groups: readonly ChartGroup[];
  readonly change: (groups: readonly ChartGroup[]) => void;
}

/** The second group is asked for where there is a first one. */
const GroupFields = ({ groups, change }: GroupProps) => (
  <div className={own['groups']}>
    {['Group by', 'And by'].slice(0, groups.length + 1).map((label, at) => (
      <label key={label}>
        {label}
        <Select
          value={groups[at] ?? ''}
          onChange={({ target }) =>
            change([...groups.slice(0, at), target.value, ...groups.slice(at + 1)].filter(isGroup))
          }
        >
          <option value="">Nothing</option>
          {(Object.keys(GROUPS) as ChartGroup[])
            .filter((group) => group === groups[at] || !groups.includes(group))
            .map((group) => (
              <option key={group} value={group}>
                {GROUPS[group].label}
              </option>
            ))}
        </Select>
      </label>
    ))}
  </div>
);
