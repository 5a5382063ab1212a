import type { CallEnd, CallStart } from '@hone/calls';
import { toCallEnd, toCallStart } from '@hone/calls/call-halves';
import {
  CallBatchDto,
  CallEndRequestDto,
  type CallHalfDto,
  CallsCompleteDto,
  CallStartRequestDto,
  type Issue,
  ProjectCallEndRequestDto,
  ProjectCallStartRequestDto,
} from '@hone/contracts';
import { bodyTask } from '@hone/platform/body-task';

import { readHalves } from './call-batch.js';

/** A call, or a half of one, as a body has it. */
export interface SentCall {
  /** `<entity>/<project>`; null: the path says it. */
  readonly projectId: string | null;
  /** Null: the server makes one. */
  readonly id: string | null;
  readonly start: CallStart | null;
  readonly end: CallEnd | null;
}

const module = import.meta.url;

export const CALL_START = bodyTask({
  ...{ type: CallStartRequestDto, module, name: 'CALL_START' },
  digest: ({ start }: CallStartRequestDto, _issues, _sent, refScheme): SentCall => toSentStart(start, refScheme),
});

export const CALL_END = bodyTask({
  ...{ type: CallEndRequestDto, module, name: 'CALL_END' },
  digest: ({ end }: CallEndRequestDto): SentCall => toSentEnd(end),
});

export const PROJECT_CALL_START = bodyTask({
  ...{ type: ProjectCallStartRequestDto, module, name: 'PROJECT_CALL_START' },
  digest: ({ start }: ProjectCallStartRequestDto, _issues, _sent, refScheme): SentCall => toSentStart(start, refScheme),
});

export const PROJECT_CALL_END = bodyTask({
  ...{ type: ProjectCallEndRequestDto, module, name: 'PROJECT_CALL_END' },
  digest: ({ end }: ProjectCallEndRequestDto): SentCall => toSentEnd(end),
});

/** The halves of calls, in order. */
export const CALL_BATCH = bodyTask({
  ...{ type: CallBatchDto, module, name: 'CALL_BATCH' },
  digest: ({ batch }: { batch: CallHalfDto[] }, issues: Issue[], _sent, refScheme): SentCall[] =>
    readHalves(batch, issues).map((half) =>
      'start' in half ? toSentStart(half.start, refScheme) : toSentEnd(half.end),
    ),
});

/** Whole calls, in order. */
export const CALLS_COMPLETE = bodyTask({
  ...{ type: CallsCompleteDto, module, name: 'CALLS_COMPLETE' },
  digest: ({ batch }: CallsCompleteDto, _issues, _sent, refScheme): SentCall[] =>
    batch.map((call) => ({ ...toSentStart(call, refScheme), end: toCallEnd(call) })),
});

type StartBody = Parameters<typeof toCallStart>[0] & { project_id?: string | null; id?: string | null };
type EndBody = Parameters<typeof toCallEnd>[0] & { project_id?: string | null; id: string };

const toSentStart = (body: StartBody, refScheme: string): SentCall => ({
  projectId: body.project_id ?? null,
  id: body.id ?? null,
  start: toCallStart(body, refScheme),
  end: null,
});

const toSentEnd = (body: EndBody): SentCall => ({
  projectId: body.project_id ?? null,
  id: body.id,
  start: null,
  end: toCallEnd(body),
});
