import type { Principal } from '@hone/auth';
import type { GateCreateDto, GateDto, GatePageDto, ImprovementWinRateDto, Role } from '@hone/contracts';
import { Database, newId } from '@hone/database';
import { RefScheme } from '@hone/platform';
import { Injectable } from '@nestjs/common';

import { EvaluationAccess } from '../access/evaluation-access.js';
import { winRateOf } from '../comparisons/assembly/win-rates.js';
import { CallSources } from '../comparisons/call-sources.service.js';
import { assertOneKind } from '../comparisons/compared-names.js';
import { compileSlices } from '../comparisons/slices.sql.js';
import { differenceOf } from './decision/gate-pair.js';
import { toGateDto } from './gate.mapper.js';
import type { GateRecord } from './gate.record.js';
import { GateLabels } from './gate-labels.service.js';
import { GateEndedError, GateNotFoundError, TooManyGatesError } from './gates.errors.js';
import { GatesRepository, PAGE } from './gates.repository.js';
import { GateSource } from './reading/gate-source.service.js';
import { assertGateForm } from './settings/gate-form.js';
import { GateSettingsReader } from './settings/gate-settings.service.js';

const MAX_OPEN = 50;
const WIN_RATE_LEVEL = 0.95;

/** Decisions between a current model and a candidate that may be looked at as often as one likes. */
@Injectable()
export class GatesService {
  constructor(
    private readonly gates: GatesRepository,
    private readonly settings: GateSettingsReader,
    private readonly labels: GateLabels,
    private readonly source: GateSource,
    private readonly calls: CallSources,
    private readonly access: EvaluationAccess,
    private readonly refScheme: RefScheme,
    private readonly database: Database,
  ) {}

  /**
   * @throws ValidationError, AccessDeniedError, ProjectNotFoundError, ComparedRunNotFoundError, ComparisonTooLargeError
   * @throws TooManyGatesError
   */
  async create(author: Principal, body: GateCreateDto): Promise<GateDto> {
    this.assertForm(body);
    const project = await this.access.project(author, body.project_id, 'writer');
    if ((await this.gates.countOpen(project.rowId)) >= MAX_OPEN) throw new TooManyGatesError(MAX_OPEN);
    const settings = await this.settings.fill(project, body);
    await this.source.open(author, project, settings);
    const id = newId();
    await this.database.transaction(async () => {
      const queueId = await this.labels.open(project, settings, author.userId);
      const { keyId, userId: createdBy } = author;
      await this.gates.create({
        id,
        projectRowId: project.rowId,
        name: settings.name,
        settings,
        queueId,
        keyId,
        createdBy,
      });
    });
    return toGateDto(await this.read(id));
  }

  /** @throws AccessDeniedError, GateNotFoundError */
  async get(caller: Principal, id: string): Promise<GateDto> {
    return this.toDto(await this.find(caller, id, 'reader'));
  }

  /** @param cursor id of the last one of the page before. @throws AccessDeniedError, ProjectNotFoundError */
  async list(caller: Principal, projectId: string, cursor: string | undefined): Promise<GatePageDto> {
    const { rowId } = await this.access.project(caller, projectId, 'reader');
    const found = await this.gates.list(rowId, cursor);
    const page = found.slice(0, PAGE);
    const counts = await this.gates.counts(page);
    return {
      gates: page.map((gate) => toGateDto(gate, counts.get(gate.id))),
      next_cursor: found.length > PAGE ? (page.at(-1) as GateRecord).id : null,
    };
  }

  /** What it saw stays. @throws AccessDeniedError, GateNotFoundError, GateEndedError */
  async cancel(caller: Principal, id: string): Promise<GateDto> {
    const gate = await this.find(caller, id, 'writer');
    const act = { at: new Date().toISOString(), act: 'cancelled', by: caller.userId, detail: null };
    if (!(await this.gates.end(id, 'cancelled', null, act))) throw new GateEndedError(id, gate.status);
    return this.toDto(await this.read(id));
  }

  /** How often the candidate's score of a row is the better one; null: there are too few pairs. */
  async winRate(id: string): Promise<ImprovementWinRateDto | null> {
    const pairs = await this.gates.pairs(await this.read(id));
    const values = pairs.map(({ scores }) => (1 + Math.sign(differenceOf(scores))) / 2);
    const { estimate, low, high, calls: rows } = winRateOf(values, WIN_RATE_LEVEL);
    return estimate === null || low === null || high === null ? null : { estimate, low, high, rows };
  }

  /** Records what was done because of what a gate said. */
  acted(id: string, act: string, detail: string): Promise<void> {
    return this.gates.addAct(id, { at: new Date().toISOString(), act, by: null, detail });
  }

  /** @throws ValidationError */
  private assertForm(body: GateCreateDto): void {
    assertOneKind(body);
    assertGateForm(body, ['body']);
    compileSlices(body.slices ?? [], this.refScheme.name);
    this.calls.compile(body);
  }

  private async find(caller: Principal, id: string, needed: Role): Promise<GateRecord> {
    const gate = await this.read(id);
    await this.access.assertMayUse(caller, gate.projectId, needed, 'this gate');
    return gate;
  }

  private async read(id: string): Promise<GateRecord> {
    const gate = await this.gates.find(id);
    if (!gate) throw new GateNotFoundError(id);
    return gate;
  }

  private async toDto(gate: GateRecord): Promise<GateDto> {
    return toGateDto(gate, (await this.gates.counts([gate])).get(gate.id));
  }
}
