import { formatCount } from '../../../shared/format/format.js';
import page from '../../../shared/page/page.module.css';
import { Badge } from '../../../shared/ui/badge.js';
import styles from '../training.module.css';
import { gatherIssues } from './issues.js';
import type { Forecast } from './job-order.js';

/** What a job would train, and why the rest would be left out. */
export const ForecastNote = ({ forecast: { data, diagnosis, ready } }: { readonly forecast: Forecast }) => (
  <section className={page['section']} aria-label="Dry run" aria-live="polite">
    <h2>
      Dry run{' '}
      {diagnosis && <Badge tone={diagnosis.ok ? 'good' : 'bad'}>{diagnosis.ok ? 'would train' : 'would fail'}</Badge>}
    </h2>
    {ready?.rows && (
      <p>
        {formatCount(ready.rows.used)} of {formatCount(ready.rows.all)} rows would be used.
      </p>
    )}
    {data && (
      <p>
        {data.counts.used} of {data.counts.calls} calls would be used
        {data.counts.groups > 0 && `, in ${data.counts.groups} groups`}.
      </p>
    )}
    {data && data.skipped.length > 0 && (
      <ul className={styles['plain']}>
        {data.skipped.map(({ reason, count }) => (
          <li key={reason}>
            {count} left out: <code>{reason}</code>
          </li>
        ))}
      </ul>
    )}
    {diagnosis && (
      <p>
        {formatCount(diagnosis.num_sequences)} gradient steps over {formatCount(diagnosis.trainable_tokens)} trained
        tokens
        {diagnosis.estimated_seconds !== null && `, about ${Math.ceil(diagnosis.estimated_seconds)} s`}.
      </p>
    )}
    {gatherIssues(diagnosis?.issues ?? []).map(({ code, message, hint, severity, places }, at) => (
      <p key={at} className={severity === 'error' ? page['problem'] : undefined}>
        {places.length > 0 && <b>In {places.join('; ')}: </b>}
        {message} {hint} <code>{code}</code>
      </p>
    ))}
  </section>
);
