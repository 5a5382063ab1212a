import type { GateDto } from '@hone/client';
import { Fragment, type ReactNode } from 'react';
import { Link } from 'wouter';

import { useProject } from '../../shared/data/project.js';
import { parseRef } from '../../shared/data/refs.js';
import { useUsernames } from '../../shared/data/usernames.js';
import { formatCount, formatTime } from '../../shared/format/format.js';
import { formatPercent, nameOfGuard } from '../../shared/gates/guards.js';
import page from '../../shared/page/page.module.css';
import { BASES } from './gate-words.js';

/** What it decides between, and by what. */
export function GateSettings({ gate }: { readonly gate: GateDto }) {
  const nameOf = useUsernames();
  const { settings, basis, created_at, created_by, ended_at } = gate;
  const { truth, reward, slices, scale } = settings;
  const left = settings.without_guards ?? [];
  const facts: readonly (readonly [string, ReactNode])[] = [
    ['Decides between', <Sides key="sides" settings={settings} />],
    ['Score', <code key="metric">{settings.metric}</code>],
    ['Scale', `${scale?.[0]} to ${scale?.[1]}, ${settings.lower_is_better ? 'less' : 'more'} is better`],
    ['Made of', basis === null ? 'nothing was read yet' : BASES[basis]],
    ...(truth ? [['People’s labels', labelsOf(settings)] as const] : []),
    ['Least gain', formatPercent(settings.min_gain ?? 0)],
    ['Chance of a wrong promotion', `at most ${formatPercent(settings.alpha ?? 0)}`],
    ['Looks', `every ${formatCount(settings.look_every ?? 0)} pairs, at most ${formatCount(settings.max_pairs ?? 0)}`],
    ['Answers of a row', `${settings.trials} on each side`],
    ...((slices ?? []).length > 0 ? [['Slices', slicesOf(settings)] as const] : []),
    ...(left.length > 0 ? [['Guards left out', left.map(nameOfGuard).join(', ')] as const] : []),
    ...(reward ? [['Trained for', <code key="reward">{reward.metric}</code>] as const] : []),
    ...(settings.accept_uncorrected ? [['A judge alone', 'may decide: that was accepted'] as const] : []),
    ['Made', `${formatTime(created_at)} by ${nameOf(created_by)}`],
    ...(ended_at === null ? [] : [['Ended', formatTime(ended_at)] as const]),
  ];
  return (
    <section className={page['section']} aria-label="What it decides by">
      <h2>What it decides by</h2>
      <dl className={page['facts']}>
        {facts.map(([name, value]) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd dir="auto">{value}</dd>
          </Fragment>
        ))}
      </dl>
    </section>
  );
}

type Settings = GateDto['settings'];

const labelsOf = ({ truth, label_share }: Settings): string =>
  `${truth?.feedback_type}, of ${formatPercent(label_share ?? 0)} of the pairs`;

const slicesOf = ({ slices, slice_margin }: Settings): string =>
  `${(slices ?? []).map(({ name }, at) => name ?? `slice ${at + 1}`).join(', ')}; a loss of ${formatPercent(slice_margin ?? 0)} is accepted`;

/** The runs, each with its page and beside each other; of live calls, how they are chosen. */
function Sides({ settings: { runs, calls } }: { readonly settings: Settings }) {
  const project = useProject();
  const ids = (runs ?? []).map((run) => parseRef(run)?.name ?? run);
  const compare = (chosen: readonly string[]) =>
    project.path(`evaluations/compare?runs=${chosen.map(encodeURIComponent).join(',')}`);
  if (ids.length === 0)
    return (
      <>
        {(calls ?? []).map(({ name, filter, query }) => (
          <div key={name}>
            {name}, live calls <code>{JSON.stringify({ ...filter, ...query })}</code>
          </div>
        ))}
      </>
    );
  return (
    <span className={page['row']}>
      <Link to={compare(ids.slice(0, 1))}>the baseline’s run</Link>
      <Link to={compare(ids.slice(1))}>the candidate’s run</Link>
      <Link to={compare(ids)}>both, row by row</Link>
    </span>
  );
}
