import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Link } from 'wouter';

import { hone } from '../../shared/data/hone.js';
import { useProject } from '../../shared/data/project.js';
import { useRights } from '../../shared/data/role.js';
import { Page } from '../../shared/page/page.js';
import page from '../../shared/page/page.module.css';
import { PendingPage } from '../../shared/page/pending-page.js';
import { Table } from '../../shared/page/table.js';
import { Badge } from '../../shared/ui/badge.js';
import { Button } from '../../shared/ui/button.js';
import { ButtonLink } from '../../shared/ui/button-link.js';
import { Input } from '../../shared/ui/input.js';
import { ErrorNote } from '../../shared/ui/notes.js';
import { CheckpointLine } from './checkpoint-line.js';
import { SplitsCard } from './splits/splits-card.js';

const POLL_MS = 3_000;
const SHOWN = 100;

const COLUMNS = [
  { name: 'Step', kind: 'short' },
  { name: 'Aliases' },
  { name: 'Metrics', kind: 'optional' },
  { name: 'Do', isHidden: true },
] as const;

/** A model, its checkpoints, and the names under which requests ask for them. */
export default function ModelPage({ id }: { readonly id: string }) {
  const project = useProject();
  const { mayWrite, mayOwn } = useRights();
  const queries = useQueryClient();
  const key = ['model', id];
  const model = useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => {
      const [detail, checkpoints, aliases] = await Promise.all([
        hone.training.getTrainableModel({ model_id: id }, { signal }),
        hone.training.listCheckpoints({ model_id: id, order: 'desc', limit: SHOWN }, { signal }),
        hone.training.listCheckpointAliases({ model_id: id }, { signal }),
      ]);
      return { detail, checkpoints: checkpoints.data, hasMore: checkpoints.has_more, aliases: aliases.data };
    },
    refetchInterval: POLL_MS,
  });
  const naming = useMutation({
    // What is shown now is what one decides on: somebody who was faster is not overwritten.
    mutationFn: ({ alias, step, before }: { alias: string; step: number; before: number | null }) =>
      hone.training.putCheckpointAlias({ model_id: id, alias }, { step, if_step: before }),
    onSettled: () => queries.invalidateQueries({ queryKey: key }),
  });
  const [alias, setAlias] = useState('production');
  const back = <Link to={project.path('training')}>Training</Link>;
  if (!model.data)
    return (
      <PendingPage
        {...{ back, error: model.error }}
        title="Model"
        what="the model"
        retry={() => void model.refetch()}
      />
    );
  const { detail, checkpoints, hasMore, aliases } = model.data;
  const playground = (name: string) => project.path(`playground?model=${encodeURIComponent(name)}`);
  const evaluate = (name: string) => project.path(`evaluations?new=1&model=${encodeURIComponent(name)}`);
  const besideBase = (name: string) => `${playground(name)}&beside=${encodeURIComponent(detail.base_model)}`;
  const name = (event: FormEvent, step: number) => {
    event.preventDefault();
    naming.mutate({ alias, step, before: aliases.find((one) => one.alias === alias)?.step ?? null });
  };
  return (
    <Page
      back={back}
      title={detail.name}
      actions={
        <>
          <span className={page['muted']}>on {detail.base_model}</span>
          <ButtonLink to={playground(detail.inference_name)}>Talk to its newest checkpoint</ButtonLink>
          {mayOwn && <ButtonLink to={project.path(`improvements?new=1&model=${id}`)}>Improve</ButtonLink>}
          {mayWrite && (
            <ButtonLink kind="primary" to={project.path(`training/new?model=${id}`)}>
              Train
            </ButtonLink>
          )}
        </>
      }
    >
      <div className={page['body']}>
        <CheckpointLine
          {...{ aliases, hasMore }}
          base={detail.base_model}
          steps={checkpoints.map(({ step }) => step)}
        />
        {mayWrite && (
          <label>
            Name to give to a checkpoint:{' '}
            <Input value={alias} onChange={({ target }) => setAlias(target.value)} maxLength={64} />
          </label>
        )}
        {naming.error && <ErrorNote error={naming.error} />}
        <Table label="Checkpoints" columns={COLUMNS}>
          {checkpoints.map(({ id: checkpoint, step, metrics }) => (
            <tr key={checkpoint} id={`step-${step}`}>
              <td data-kind="short">{step}</td>
              <td>
                <span className={page['row']}>
                  {aliases
                    .filter((one) => one.step === step)
                    .map((one) => (
                      <Badge key={one.alias} tone="good">
                        {one.alias}
                      </Badge>
                    ))}
                </span>
              </td>
              <td data-kind="optional" className={page['muted']}>
                {Object.entries(metrics)
                  .slice(0, 3)
                  .map(([metric, value]) => `${metric} ${value.toPrecision(3)}`)
                  .join(', ')}
              </td>
              <td>
                <form className={page['row']} onSubmit={(event) => name(event, step)}>
                  {mayWrite && (
                    <Button type="submit" disabled={naming.isPending || alias.trim() === ''}>
                      Set {alias}
                    </Button>
                  )}
                  <Link to={playground(`${detail.inference_name}:step${step}`)}>Talk</Link>
                  {mayWrite && <Link to={evaluate(`${detail.inference_name}:step${step}`)}>Evaluate</Link>}
                  <Link to={besideBase(`${detail.inference_name}:step${step}`)}>Compare with its base</Link>
                  <a href={`/v1/preview/models/${id}/checkpoints/${step}/download`}>Download</a>
                </form>
              </td>
            </tr>
          ))}
        </Table>
        {aliases.length > 0 && <SplitsCard aliases={aliases} queryKey={key} />}
        {checkpoints.length === 0 && <p className={page['muted']}>It answers as its base until its first job ends.</p>}
      </div>
    </Page>
  );
}
