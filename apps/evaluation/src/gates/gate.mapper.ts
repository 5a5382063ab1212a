import type { GateDto, GateGuardDto, GateLeftOutDto } from '@hone/contracts';

import { guardState } from './decision/gate-verdict.js';
import type { GateRecord, PairCounts } from './gate.record.js';
import { sentenceOf } from './gate-sentence.js';
import { rulesOf } from './settings/gate-rules-of.js';

const NO_PAIRS: PairCounts = { pairs: 0, asked: 0, labels: 0, awaited: [] };

export const toGateDto = (gate: GateRecord, counts = NO_PAIRS): GateDto => ({
  ...{ id: gate.id, project_id: gate.projectId, name: gate.name, status: gate.status },
  ...{ verdict: gate.verdict, reason: gate.reason, sentence: sentenceOf(gate), reason_guards: [...gate.reasonGuards] },
  ...{ error: gate.error, settings: gate.settings, basis: gate.basis },
  ...{ pairs: counts.pairs, labels_asked: counts.asked, labels: counts.labels },
  awaited_calls: gate.status === 'open' ? [...counts.awaited] : [],
  queue_id: gate.queueId,
  looks: gate.looks.map(({ pairs, labels, gain }) => ({ pairs, labels, gain })),
  guards: guardsOf(gate),
  left_out: leftOutOf(gate),
  ...{ label_plan: gate.labelPlan, acts: [...gate.acts], created_by: gate.createdBy },
  created_at: gate.createdAt.toISOString(),
  ended_at: gate.endedAt?.toISOString() ?? null,
});

const leftOutOf = ({ leftOut }: GateRecord): GateLeftOutDto => ({
  no_score: leftOut.no_score ?? 0,
  off_scale: leftOut.off_scale ?? 0,
  labels_off_scale: leftOut.labels_off_scale ?? 0,
});

function guardsOf({ settings, basis, looks }: GateRecord): GateGuardDto[] {
  const look = looks.at(-1);
  return rulesOf(settings, basis ?? 'fact').guards.map((guard) => ({
    ...{ name: guard.name, margin: guard.margin, needs_proof: guard.needsProof },
    ...{ state: guardState(guard, look), loss: look?.guards[guard.name] ?? null },
  }));
}
