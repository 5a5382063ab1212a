import type { ScorerDefinitionDto } from '@hone/client';
import { useState } from 'react';

import page from '../../../shared/page/page.module.css';
import type { Scorer } from '../../../shared/scorers/scorer.js';
import { Select } from '../../../shared/ui/input.js';
import { type Tried, TryCalls } from './try-calls.js';

interface Props {
  readonly scorer: Scorer;
  readonly definition: ScorerDefinitionDto;
  readonly versions: readonly Scorer[];
}

/** What a version finds about real calls, beside another one. */
export function TryCard({ scorer, definition, versions }: Props) {
  const [otherDigest, setOther] = useState('');
  const others = versions.filter((one) => one.digest !== scorer.digest && one.definition !== null);
  const other = others.find(({ digest }) => digest === otherDigest);
  const tried: Tried[] = [{ title: `v${scorer.version}`, body: { definition } }];
  if (other?.definition) tried.push({ title: `v${other.version}`, body: { definition: other.definition } });
  return (
    <section className={page['card']} aria-label="Try it">
      <h2>Try it on real calls</h2>
      {others.length > 0 && (
        <label className={page['row']}>
          Beside it
          <Select value={otherDigest} onChange={({ target }) => setOther(target.value)}>
            <option value="">no other version</option>
            {others.map(({ digest, version }) => (
              <option key={digest} value={digest}>
                v{version}
              </option>
            ))}
          </Select>
        </label>
      )}
      <TryCalls tried={tried} />
    </section>
  );
}
