import type { GateDto } from '@hone/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from 'wouter';

import { hone } from '../../shared/data/hone.js';
import { useProject } from '../../shared/data/project.js';
import { useRights } from '../../shared/data/role.js';
import { formatCount } from '../../shared/format/format.js';
import { Uncorrected } from '../../shared/labels/uncorrected.js';
import { Page } from '../../shared/page/page.js';
import page from '../../shared/page/page.module.css';
import { PendingPage } from '../../shared/page/pending-page.js';
import { Badge } from '../../shared/ui/badge.js';
import { Button } from '../../shared/ui/button.js';
import { ErrorNote } from '../../shared/ui/notes.js';
import { GateActs } from './gate-acts.js';
import { GateGuards } from './gate-guards.js';
import { GateLooks } from './gate-looks.js';
import { GateSettings } from './gate-settings.js';
import { GateWaits } from './gate-waits.js';
import { saidBy } from './gate-words.js';
import { isOpen, useGate } from './use-gates.js';

/** A decision between a baseline and a candidate: what it says by now, and all that it is made of. */
export default function GatePage({ id }: { readonly id: string }) {
  const project = useProject();
  const gate = useGate(id);
  const back = <Link to={project.path('gates')}>Gates</Link>;
  if (!gate.data)
    return (
      <PendingPage title="Gate" what="the gate" {...{ back, error: gate.error }} retry={() => void gate.refetch()} />
    );
  return (
    <Page title={gate.data.name} back={back} actions={<Actions gate={gate.data} />}>
      <div className={page['body']}>
        {gate.error && <ErrorNote error={gate.error} retry={() => void gate.refetch()} />}
        <Verdict gate={gate.data} />
        <GateWaits gate={gate.data} />
        <GateLooks gate={gate.data} />
        <GateGuards gate={gate.data} />
        <GateSettings gate={gate.data} />
        <GateActs gate={gate.data} />
      </div>
    </Page>
  );
}

function Actions({ gate }: { readonly gate: GateDto }) {
  const { mayWrite } = useRights();
  const queries = useQueryClient();
  const said = saidBy(gate);
  const cancelling = useMutation({
    mutationFn: () => hone.evaluation.cancelGate({ gate_id: gate.id }),
    onSettled: () => queries.invalidateQueries({ predicate: ({ queryKey: [of] }) => of === 'gate' || of === 'gates' }),
  });
  return (
    <>
      <Badge tone={said.tone}>{said.text}</Badge>
      {mayWrite && isOpen(gate) && (
        <Button disabled={cancelling.isPending} onClick={() => cancelling.mutate()}>
          Cancel
        </Button>
      )}
      {cancelling.error && <span role="alert">{cancelling.error.message}</span>}
    </>
  );
}

/** What it says, in one sentence, and by how much. */
function Verdict({ gate: { sentence, basis, pairs, left_out } }: { readonly gate: GateDto }) {
  const { no_score, off_scale } = left_out;
  return (
    <section className={page['card']} aria-label="Verdict">
      <p role="status" dir="auto">
        <b>{sentence}</b> {basis === 'judge' && <Uncorrected />}
      </p>
      <p className={page['muted']}>
        {formatCount(pairs)} pairs were read.
        {no_score > 0 &&
          ` ${formatCount(no_score)} rows are no pairs: one side has no score, and its answer did not fail.`}
        {off_scale > 0 && ` ${formatCount(off_scale)} rows are no pairs: a score lies beyond the scale.`}
      </p>
    </section>
  );
}
