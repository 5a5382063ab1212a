import type { GateBasis, GateLabelPlanDto } from '@hone/contracts';
import { momentsOf, variancePlan } from '@hone/statistics';
import { Injectable } from '@nestjs/common';

import type { OwnProject } from '../access/evaluation-access.js';
import type { ComparedSource } from '../comparisons/compared-source.js';
import { isDrawn } from '../judged-calls/draw.js';
import type { Claimed } from '../queue/claimed-rows.repository.js';
import { JobRights } from '../queue/job-rights.service.js';
import { isAdvisory } from './decision/advisory.js';
import { gainsOf, type GateLook, settledPairs } from './decision/gate-looks.js';
import type { GatePair } from './decision/gate-pair.js';
import type { GateRules } from './decision/gate-rules.js';
import { decide, type Decision } from './decision/gate-verdict.js';
import type { GateRecord } from './gate.record.js';
import { GateLabels } from './gate-labels.service.js';
import { GateMetricMissingError } from './gates.errors.js';
import { GatesRepository } from './gates.repository.js';
import { type GateEvidence, GateSource } from './reading/gate-source.service.js';
import { GateThreads } from './reading/gate-threads.js';
import { rulesOf } from './settings/gate-rules-of.js';

/** Nobody plans for less. */
const MIN_WIDTH = 0.05;
const MIN_PLANNED = 20;
const SOON_SECONDS = 1;
const LATER_SECONDS = 5;

/** Gates whose last look is remembered. */
const MAX_WAITING = 1_000;

const RIGHTS = { what: 'gate', needed: 'writer', deed: 'write to the project' } as const;

/** What a look found that decided nothing. */
interface Waiting {
  /** Of what it read: as long as it is the same, another look finds nothing else. */
  readonly state: string;
  /** Until the next look. */
  readonly seconds: number;
}

/** Takes a gate as far as what there is allows. */
@Injectable()
export class GateAdvance {
  /** By id of the gate, of this process. */
  private readonly waiting = new Map<string, Waiting>();

  constructor(
    private readonly gates: GatesRepository,
    private readonly source: GateSource,
    private readonly threads: GateThreads,
    private readonly labels: GateLabels,
    private readonly rights: JobRights,
  ) {}

  /**
   * Reads new pairs and labels, looks at what is settled, and decides, all or nothing.
   *
   * @throws KeyEndedError, GateMetricMissingError, DomainError it cannot go on
   */
  async advance(gate: GateRecord, claimed: Claimed): Promise<void> {
    const project = { id: gate.projectId, rowId: gate.projectRowId };
    const owner = await this.rights.ownerOf(gate, RIGHTS);
    // Read before the rest, so that what comes meanwhile makes another one of it.
    const state = await this.source.stateOf(project, gate.settings);
    const before = this.waiting.get(gate.id);
    if (before && before.state === state) return this.gates.claims.release(claimed, before.seconds);
    this.waiting.delete(gate.id);
    const seconds = await this.look(gate, claimed, project, await this.source.open(owner, project, gate.settings));
    if (state !== null && seconds !== null) this.remember(gate.id, { state, seconds });
  }

  private remember(id: string, waiting: Waiting): void {
    const [oldest] = this.waiting.keys();
    if (oldest !== undefined && this.waiting.size >= MAX_WAITING) this.waiting.delete(oldest);
    this.waiting.set(id, waiting);
  }

  /** @returns seconds until the next look; null: it has ended, or is another process's. @throws GateMetricMissingError */
  private async look(
    gate: GateRecord,
    claimed: Claimed,
    project: OwnProject,
    opened: ComparedSource,
  ): Promise<number | null> {
    const { settings } = gate;
    const known = await this.gates.pairs(gate);
    const digests = known.map(({ digest }) => digest);
    const evidence = await this.source.read(project, opened, settings, digests);
    if (evidence.known && known.length === 0) return this.awaitMetric(gate, claimed, evidence, evidence.known);
    const basis = basisOf(gate, evidence);
    const { added, all } = joined(gate, basis, known, evidence);
    const rules = rulesOf(settings, basis);
    const settled = settledPairs(all, rules);
    const isFull = all.length >= settings.max_pairs || evidence.hasEnded;
    const isOver = isFull && settled.length === all.length;
    const looks = await this.threads.look({ settled, rules, done: gate.looks, isLast: isOver });
    const decided = firstDecision(gate.looks, looks, rules, settled, isOver);
    const seconds = settled.length < all.length ? LATER_SECONDS : SOON_SECONDS;
    return this.gates.claims.whileLocked(claimed, async () => {
      if (added.length > 0) {
        await this.gates.addPairs(gate, added, known.length);
        await this.labels.ask(gate, added);
      }
      if (evidence.labels.length > 0) await this.gates.addLabels(gate, evidence.labels);
      const progress = { basis, looks: decided?.looks ?? looks, leftOut: evidence.leftOut };
      const end = decided && { ...decided.decision, reasonGuards: decided.decision.guards, labelPlan: decided.plan };
      await this.gates.progress(gate.id, { ...progress, end }, seconds);
      return end ? null : seconds;
    });
  }

  /** Nothing of the metric is there yet: whether it is a fact is known together with it. @throws GateMetricMissingError nothing comes */
  private async awaitMetric(
    { id, settings }: GateRecord,
    claimed: Claimed,
    { hasEnded, leftOut }: GateEvidence,
    names: readonly string[],
  ): Promise<number | null> {
    if (hasEnded) throw new GateMetricMissingError(settings.metric, names);
    return this.gates.claims.whileLocked(claimed, async () => {
      await this.gates.progress(id, { basis: null, looks: [], leftOut, end: null }, SOON_SECONDS);
      return SOON_SECONDS;
    });
  }
}

/** What it is made of stays what it was when it was read first. */
function basisOf({ basis, settings }: GateRecord, { isFact }: GateEvidence): GateBasis {
  if (basis !== null) return basis;
  if (isFact) return 'fact';
  if (!settings.truth) return 'judge';
  return settings.label_share >= 1 ? 'people' : 'corrected';
}

/** Those that count already, with what people said of them since, then new ones in an order that nobody chose. */
function joined(gate: GateRecord, basis: GateBasis, known: readonly GatePair[], { found, labels }: GateEvidence) {
  const { id, settings } = gate;
  const said = new Map(labels);
  const asks = basis === 'corrected' || basis === 'people';
  const withLabels = (pair: Omit<GatePair, 'labels'>, before: GatePair['labels']): GatePair => ({
    ...pair,
    labels: before ?? said.get(pair.digest) ?? null,
  });
  const added = found
    .map((pair) => ({ ...pair, isDrawn: asks && isDrawn(id, pair.digest, settings.label_share) }))
    .sort((a, b) => (a.digest < b.digest ? -1 : 1))
    .slice(0, settings.max_pairs - known.length)
    .map((pair) => withLabels(pair, null));
  return { added, all: [...known.map((pair) => withLabels(pair, pair.labels)), ...added] };
}

/** The first of the new looks that decides; what comes after it is not looked at. Without new ones the last one may, as it is over. */
function firstDecision(
  done: readonly GateLook[],
  fresh: readonly GateLook[],
  rules: GateRules,
  settled: readonly GatePair[],
  isOver: boolean,
) {
  const looks = fresh.length > 0 ? fresh : [done.at(-1)];
  for (const [at, look] of looks.entries()) {
    const seen = settled.slice(0, look?.pairs ?? settled.length);
    const isLast = isOver && at === looks.length - 1;
    const decision = decide(look, rules, { isAdvisory: isAdvisory(seen, rules), isOver: isLast });
    if (decision) return { looks: fresh.slice(0, at + 1), decision, plan: planOf(decision, seen, rules) };
  }
  return null;
}

/** How many pairs people would have to judge, if they vary as the judge's scores do. */
function planOf({ verdict }: Decision, pairs: readonly GatePair[], rules: GateRules): GateLabelPlanDto | null {
  if (verdict !== 'needs_labels' || pairs.length < MIN_PLANNED) return null;
  const { mean, variance } = momentsOf(gainsOf(pairs, rules));
  const width = Math.max(MIN_WIDTH, Math.abs(mean) / 2);
  if (variance === 0) return null;
  return { width, labels: variancePlan(variance, rules.maxPairs, width, 1 - rules.alpha).withoutJudge };
}
