import type { ScorerDefinitionDto } from '@hone/client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { hone } from '../../../../shared/data/hone.js';
import { useRememberedText } from '../../../../shared/data/remembered.js';
import { useRights } from '../../../../shared/data/role.js';
import { useSearchState } from '../../../../shared/data/search-state.js';
import page from '../../../../shared/page/page.module.css';
import { Button } from '../../../../shared/ui/button.js';
import { ErrorNote, Loading } from '../../../../shared/ui/notes.js';
import { BiasResult } from './bias-result.js';
import type { BiasOrder, Judged } from './judged.js';
import { StartBias } from './start-bias.js';

const POLL_MS = 2_000;

interface Props {
  readonly judged: Judged;
  readonly definition: ScorerDefinitionDto;
}

/** How a judge may be biased: asked for, followed while probes ask the judge, and said in words. */
export function BiasSection({ judged, definition }: Props) {
  const { mayWrite } = useRights();
  const [linked, setLinked] = useSearchState('bias');
  const [last, setLast] = useRememberedText(`bias.${judged.scorer}.${judged.criterion}`);
  const id = linked || last;
  const [isStarting, setIsStarting] = useState(false);
  const report = useQuery({
    queryKey: ['bias report', id],
    queryFn: ({ signal }) => hone.evaluation.getBiasReport({ bias_report_id: id }, { signal }),
    enabled: id !== '',
    refetchInterval: ({ state }) => (state.data?.status === 'running' ? POLL_MS : false),
  });
  const starting = useMutation({
    mutationFn: (body: BiasOrder) => hone.evaluation.createBiasReport({ ...judged, ...body }),
    onSuccess: ({ id: made }) => {
      setLinked(made);
      setLast(made);
      setIsStarting(false);
    },
  });
  const isOfThis = report.data?.scorer === judged.scorer && report.data.criterion === judged.criterion;
  return (
    <section className={page['section']} aria-label="How it may be biased">
      <h2>How it may be biased</h2>
      {id === '' ? (
        <p className={page['muted']}>
          Whether it likes long answers, those of its own family of models, bullets or flattery more than people do, and
          whether it says the same when it is asked again.
        </p>
      ) : report.error ? (
        <ErrorNote error={report.error} retry={() => void report.refetch()} />
      ) : !report.data ? (
        <Loading what="the bias report" />
      ) : isOfThis ? (
        <BiasResult report={report.data} />
      ) : (
        <p className={page['muted']}>The report that this page’s address names is of another version or criterion.</p>
      )}
      {mayWrite && (
        <div>
          <Button onClick={() => setIsStarting(true)}>{id === '' ? 'Look for bias' : 'Look again'}</Button>
        </div>
      )}
      {isStarting && (
        <StartBias
          {...{ definition, judged }}
          {...{ isPending: starting.isPending, error: starting.error }}
          start={(body) => starting.mutate(body)}
          close={() => setIsStarting(false)}
        />
      )}
    </section>
  );
}
