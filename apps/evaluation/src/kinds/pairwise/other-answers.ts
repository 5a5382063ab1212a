import { type JsonValue, type PairwiseDto, parseRef } from '@hone/contracts';
import { Injectable } from '@nestjs/common';

import { outputText, toText, valueOf } from '../../judged-calls/call-texts.js';
import type { CallValues } from '../../judged-calls/judged-call.js';
import { JudgedCallsRepository } from '../../judged-calls/judged-calls.repository.js';

/** Where the other answer is looked for. */
export interface OtherPlace {
  /** `<entity>/<project>` of both calls. */
  readonly projectId: string;
  readonly projectRowId: string;
}

/** The answers that calls are compared with. */
@Injectable()
export class OtherAnswers {
  constructor(private readonly calls: JudgedCallsRepository) {}

  /** What another call of the project answered; null: it has not ended, is gone, or answered nothing. */
  async ofCall({ projectRowId }: OtherPlace, id: string): Promise<string | null> {
    const [call] = await this.calls.read(projectRowId, [id]);
    return call?.hasEnded && call.values !== null ? outputText(call.values) : null;
  }

  /** What the call itself names: a text, or the ref of another call of the project. Null: it names none. */
  async within(place: OtherPlace, values: CallValues, { against }: PairwiseDto): Promise<string | null> {
    const named = against ? valueOf(values, against) : null;
    const id = callIdOf(named, place.projectId);
    return id === null ? toText(named) : this.ofCall(place, id);
  }
}

/** Null: it is no ref of a call of the project, but an answer. */
function callIdOf(named: JsonValue, projectId: string): string | null {
  const ref = typeof named === 'string' ? parseRef(named) : null;
  return ref?.kind === 'call' && ref.projectId === projectId ? ref.callId : null;
}
