import type { ComparisonDto } from '@hone/client';
import { useState } from 'react';

import { AnswerMap, TruthField } from '../../../shared/labels/truth-fields.js';
import page from '../../../shared/page/page.module.css';
import { Button } from '../../../shared/ui/button.js';
import { Input, Select } from '../../../shared/ui/input.js';
import { formatValue, nameOfMetric } from './metric.js';
import type { CompareSettings } from './use-comparison.js';

interface Props {
  readonly comparison: ComparisonDto;
  readonly settings: CompareSettings;
}

/** Slices, margins, and people's labels: what makes a comparison say more. */
export function SettingsForm({ comparison, settings }: Props) {
  const { fields, sliceBy, labelled, choice, set } = settings;
  const metrics = comparison.comparisons[0]?.metrics ?? [];
  const judged = metrics.filter(({ source }) => source === 'score').map(({ metric }) => metric);
  return (
    <section className={page['section']} aria-label="What is compared">
      <div className={page['form']}>
        {fields.size > 0 && (
          <label>
            Compare slices by
            <Select value={sliceBy} onChange={({ target }) => set('slices', target.value)}>
              <option value="">nothing: all rows alone</option>
              {[...fields].map(([field, values]) => (
                <option key={field} value={field}>
                  {field}, {values.length} values
                </option>
              ))}
            </Select>
          </label>
        )}
        {judged.length > 0 && (
          <label>
            People labelled
            <Select value={labelled} onChange={({ target }) => set('labelled', target.value)}>
              <option value="">nothing</option>
              {[...new Set([...judged, labelled])].filter(Boolean).map((metric) => (
                <option key={metric} value={metric}>
                  {nameOfMetric(metric)}
                </option>
              ))}
            </Select>
          </label>
        )}
        {labelled !== '' && <TruthField choice={choice} />}
      </div>
      {labelled !== '' && <AnswerMap choice={choice} />}
      <Margins metrics={metrics} settings={settings} />
    </section>
  );
}

interface MarginProps extends Pick<Props, 'settings'> {
  readonly metrics: ComparisonDto['comparisons'][number]['metrics'];
}

/** Losses that one accepts, each of which is tested. */
function Margins({ metrics, settings: { margins, set } }: MarginProps) {
  const [chosen, setChosen] = useState('');
  const [loss, setLoss] = useState('');
  const metric = chosen || (metrics.find(({ source }) => source === 'measure')?.metric ?? metrics[0]?.metric ?? '');
  const save = (next: Readonly<Record<string, number>>) =>
    set('margins', Object.keys(next).length === 0 ? '' : JSON.stringify(next));
  if (metrics.length === 0) return null;
  return (
    <form
      className={page['form']}
      onSubmit={(event) => {
        event.preventDefault();
        save({ ...margins, [metric]: Number(loss) });
        setLoss('');
      }}
    >
      <label>
        Accept a loss of
        <Select value={metric} onChange={({ target }) => setChosen(target.value)}>
          {metrics.map((one) => (
            <option key={one.metric} value={one.metric}>
              {nameOfMetric(one.metric)}
            </option>
          ))}
        </Select>
      </label>
      <label>
        up to
        <Input
          type="number"
          required
          min={0}
          step="any"
          value={loss}
          onChange={({ target }) => setLoss(target.value)}
        />
      </label>
      <Button type="submit">Test the margin</Button>
      {Object.entries(margins).map(([name, margin]) => (
        <Button
          key={name}
          title="Remove this margin"
          onClick={() => {
            const { [name]: _removed, ...others } = margins;
            save(others);
          }}
        >
          {nameOfMetric(name)}: {formatValue(margin, metrics.find((one) => one.metric === name)?.unit ?? null)} ×
        </Button>
      ))}
    </form>
  );
}
