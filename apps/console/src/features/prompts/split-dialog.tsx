import { useState } from 'react';

import form from '../../shared/dialog/dialog.module.css';
import { FormDialog } from '../../shared/dialog/form-dialog.js';
import { Input, Select } from '../../shared/ui/input.js';
import styles from './prompts.module.css';
import { percentOf, toSplit } from './shares.js';
import type { VersionProps } from './versions.js';

/** Versions that an alias can be split over, at most. */
const MAX_VERSIONS = 20;

interface Props extends VersionProps {
  readonly alias: string;
  readonly digest: string;
  readonly weights: Readonly<Record<string, number>> | null;
  readonly save: (split: NonNullable<ReturnType<typeof toSplit>>) => void;
  readonly close: () => void;
}

/** Gives each of several versions a part of the requests with a label. */
export function SplitDialog({ alias, digest, weights, versions, shown, save, close }: Props) {
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>(() => {
    if (weights) return Object.fromEntries(Object.entries(weights).map(([of, weight]) => [of, String(weight)]));
    const other = shown.digest === digest ? versions.find((version) => version.digest !== digest) : shown;
    return { [digest]: '90', ...(other && { [other.digest]: '10' }) };
  });
  const split = toSplit(digest, texts);
  const sum = Object.values(texts).reduce((total, text) => total + (Number(text) || 0), 0);
  const left = versions.filter((version) => !Object.hasOwn(texts, version.digest));
  const numberOf = (of: string) => versions.find((version) => version.digest === of)?.version_index ?? '?';
  return (
    <FormDialog
      title={`Split ${alias}`}
      action="Set the shares"
      isPending={false}
      error={null}
      isReady={split !== null}
      submit={() => split && save(split)}
      close={close}
    >
      {Object.entries(texts).map(([of, text]) => (
        <label key={of} className={styles['shares']}>
          v{numberOf(of)}
          <Input
            inputMode="decimal"
            aria-label={`Weight of v${numberOf(of)}`}
            value={text}
            onChange={({ target }) => setTexts({ ...texts, [of]: target.value })}
          />
          <span className={form['hint']}>{percentOf(Number(text) || 0, sum)}</span>
        </label>
      ))}
      {left.length > 0 && Object.keys(texts).length < MAX_VERSIONS && (
        <Select
          aria-label="Another version"
          value=""
          onChange={({ target }) => setTexts({ ...texts, [target.value]: '0' })}
        >
          <option value="">Another version …</option>
          {left.map((version) => (
            <option key={version.digest} value={version.digest}>
              v{version.version_index}
            </option>
          ))}
        </Select>
      )}
      <p className={form['hint']}>
        Requests with this label get a version by these weights, the same one within a thread. A weight of 0 takes a
        version out.
      </p>
    </FormDialog>
  );
}
