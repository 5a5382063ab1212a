import { Injectable } from '@nestjs/common';
import { type JsonValue, OtlpExportDto, parseProjectId } from '@hone/contracts';
import type { Principal } from '@hone/auth';
import { checked, HeavyWork, ValidationError } from '@hone/platform';

import { CallWriteService } from '../calls/writes/call-write.service.js';
import { decodeRequest } from './otlp-protobuf.js';
import { readSpans, type SpanGroup } from './otlp-spans.js';
import { type SpanCall, toCall } from './span-call.js';

/** Protobuf packs more values into a byte than JSON: from here on another thread reads it. */
const HEAVY_BYTES = 262_144;
/** Attributes of a resource that name the project, in one or in two parts. */
const WHOLE_NAME = 'hone.project';
const SPLIT_NAMES = [
  ['hone.entity', 'hone.project'],
  ['wandb.entity', 'wandb.project'],
] as const;

/** Spans that were not stored, and why; null: all were. */
export type Rejected = { rejectedSpans: number; errorMessage: string } | null;

@Injectable()
export class OtlpService {
  constructor(
    private readonly calls: CallWriteService,
    private readonly heavy: HeavyWork,
  ) {}

  /**
   * Stores spans as calls, all that can be stored in one transaction.
   *
   * @param defaultProject of resources that name none
   * @throws ValidationError the bytes are no such request, AccessDeniedError
   */
  async store(author: Principal, request: Uint8Array | JsonValue, defaultProject: string | null): Promise<Rejected> {
    const groups = request instanceof Uint8Array ? this.#decode(request) : fromJson(request);
    const stored: { projectId: string; call: SpanCall }[] = [];
    const rejected = new Map<string, number>();
    for (const group of groups) {
      const project = projectOf(group, defaultProject);
      for (const span of group.spans) {
        const problem =
          project.problem ?? (span ? null : 'traceId or spanId is not 16 or 8 bytes, or all of them are zero');
        if (problem === null && span) stored.push({ projectId: project.id, call: toCall(span, group) });
        else rejected.set(problem as string, (rejected.get(problem as string) ?? 0) + 1);
      }
    }
    await this.calls.saveSpans(
      author,
      stored.map(({ projectId, call }) => ({ projectId, ...call })),
    );
    if (rejected.size === 0) return null;
    const rejectedSpans = [...rejected.values()].reduce((sum, count) => sum + count, 0);
    return { rejectedSpans, errorMessage: [...rejected.keys()].slice(0, 5).join('; ') };
  }

  #decode(bytes: Uint8Array): SpanGroup[] {
    this.heavy.passOnIf(bytes.length > HEAVY_BYTES);
    try {
      return readSpans(decodeRequest(bytes), 'base64');
    } catch {
      // Whatever the decoder throws, the bytes are to blame: it sees nothing else.
      const msg = 'The body is no ExportTraceServiceRequest in protobuf.';
      throw new ValidationError([{ loc: ['body'], msg, type: 'value_error' }]);
    }
  }
}

/** Only the outermost shape is checked: a client whose every request is refused should hear of it. */
function fromJson(request: JsonValue): SpanGroup[] {
  checked(OtlpExportDto, request, 'body');
  return readSpans(request, 'hex');
}

/** The project that spans go to, or why they go nowhere. */
type Project = { id: string; problem: null } | { id: string; problem: string };

function projectOf({ resource }: SpanGroup, defaultProject: string | null): Project {
  const whole = resource.get(WHOLE_NAME);
  const named =
    typeof whole === 'string' && whole.includes('/')
      ? whole
      : SPLIT_NAMES.map((names) => names.map((name) => resource.get(name)))
          .find((parts) => parts.every((part) => typeof part === 'string' && part !== ''))
          ?.join('/');
  const id = named ?? defaultProject;
  if (id === null) {
    const problem = `no project: name it in the resource attribute ${WHOLE_NAME} or the header Hone-Project, as entity/project`;
    return { id: '', problem };
  }
  if (!parseProjectId(id)) return { id, problem: `'${id.slice(0, 300)}' is no project of the form entity/project` };
  return { id, problem: null };
}
