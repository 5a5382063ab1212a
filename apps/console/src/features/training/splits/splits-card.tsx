import type { AliasSplitDto, AliasSplitPutDto, CheckpointAliasDto } from '@hone/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import { hone } from '../../../shared/data/hone.js';
import { useRights } from '../../../shared/data/role.js';
import page from '../../../shared/page/page.module.css';
import { RefusedNote } from '../../../shared/page/refused-note.js';
import { Badge } from '../../../shared/ui/badge.js';
import { Button } from '../../../shared/ui/button.js';
import { SplitDialog } from './split-dialog.js';
import { toPercent } from './split-form.js';
import styles from './splits.module.css';

interface Props {
  readonly aliases: readonly CheckpointAliasDto[];
  /** Of the query that has them. */
  readonly queryKey: readonly string[];
}

/** Which models answer the requests that name an alias, and what may change that. */
export const SplitsCard = ({ aliases, queryKey }: Props) => (
  <section className={page['section']} aria-label="Traffic">
    <h2>Traffic</h2>
    <ul className={styles['list']}>
      {aliases.map((alias) => (
        <Alias key={alias.alias} {...{ alias, queryKey }} />
      ))}
    </ul>
  </section>
);

function Alias({
  alias: { alias, model_id, step, split },
  queryKey,
}: Pick<Props, 'queryKey'> & { readonly alias: CheckpointAliasDto }) {
  const { mayWrite } = useRights();
  const queries = useQueryClient();
  const [isOpen, setIsOpen] = useState(false);
  const onSettled = () => queries.invalidateQueries({ queryKey });
  const params = { model_id, alias };
  const setting = useMutation({
    mutationFn: (body: AliasSplitPutDto) => hone.training.putAliasSplit(params, body),
    onSuccess: () => setIsOpen(false),
    onSettled,
  });
  const ending = useMutation({ mutationFn: () => hone.training.deleteAliasSplit(params), onSettled });
  return (
    <li className={styles['alias']} aria-label={alias}>
      <span className={page['row']}>
        <Badge tone="good">{alias}</Badge>
        <span>{sharesOf(step, split)}</span>
        {mayWrite && (
          <>
            <Button aria-label={`Split ${alias}`} onClick={() => setIsOpen(true)}>
              Split
            </Button>
            {split && (
              <Button aria-label={`End split of ${alias}`} disabled={ending.isPending} onClick={() => ending.mutate()}>
                End split
              </Button>
            )}
          </>
        )}
      </span>
      {split?.shadow && <span className={page['muted']}>{shadowOf(split.shadow)}</span>}
      {ending.error && <RefusedNote error={ending.error} what="Ending a split" />}
      {isOpen && (
        <SplitDialog
          {...{ alias, split }}
          isPending={setting.isPending}
          error={setting.error}
          save={(body) => setting.mutate(body)}
          close={() => {
            setting.reset();
            setIsOpen(false);
          }}
        />
      )}
    </li>
  );
}

/** `step 3 95 %, candidate 5 % (large)`. */
const sharesOf = (step: number, split: AliasSplitDto | null): string =>
  split === null
    ? `step ${step}`
    : [
        `step ${step} ${toPercent(split.production_weight)} %`,
        ...split.arms.map(({ name, model, weight }) => `${name} ${toPercent(weight)} % (${model})`),
      ].join(', ');

const shadowOf = ({
  model,
  share,
  max_cost_usd_per_day: limit,
  spent_usd_today: spent,
}: NonNullable<AliasSplitDto['shadow']>) =>
  `Shadow: ${model} answers ${toPercent(share)} % of the requests a second time; $${spent.toFixed(4)}${
    limit === null ? '' : ` of $${limit}`
  } spent today.`;
