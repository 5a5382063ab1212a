import {
  type CallRef,
  type FeedbackCreateDto,
  hasMoreThan,
  isJsonObject,
  type Issue,
  issue,
  lengthIssue,
  type ObjectRef,
  parseRef,
  valueIssue,
} from '@hone/contracts';

import { findEmoji } from './emoji.js';

const REFERENCES = ['annotation_ref', 'runnable_ref', 'call_ref', 'trigger_ref'] as const;
const SCORER_FIELDS = [
  'scorer_tags',
  'scorer_tag_reasons',
  'scorer_tag_confidences',
  'scorer_ratings',
  'scorer_rating_reasons',
  'scorer_rating_confidences',
] as const;
const MAX_NOTE = 1_024;

type Reference = (typeof REFERENCES)[number];
type Use = 'required' | 'optional' | 'absent';

/** The rules of one reserved type for a body. */
interface TypeForm {
  references: Record<Reference, Use>;
  scorerFields: Use;
  /** Issues of the payload, relative to the body. */
  payload: (body: FeedbackCreateDto) => Issue[];
  /** Issues of the references beyond being there. */
  further?: (body: FeedbackCreateDto) => Issue[];
}

const NONE: Record<Reference, Use> = {
  annotation_ref: 'absent',
  runnable_ref: 'absent',
  call_ref: 'absent',
  trigger_ref: 'absent',
};

const NOTE: TypeForm = {
  references: NONE,
  scorerFields: 'absent',
  payload: ({ payload: { note } }) => {
    if (note === undefined) return [issue('missing', ['payload', 'note'])];
    if (typeof note !== 'string') return [issue('string_type', ['payload', 'note'])];
    if (note.length === 0) return [lengthIssue('short', 1, ['payload', 'note'])];
    return hasMoreThan(MAX_NOTE, note) ? [lengthIssue('long', MAX_NOTE, ['payload', 'note'])] : [];
  },
};

const REACTION: TypeForm = {
  references: NONE,
  scorerFields: 'absent',
  payload: ({ payload: { emoji } }) => {
    if (emoji === undefined) return [issue('missing', ['payload', 'emoji'])];
    if (typeof emoji !== 'string') return [issue('string_type', ['payload', 'emoji'])];
    return findEmoji(emoji) ? [] : [valueIssue('Input should be exactly one emoji', ['payload', 'emoji'])];
  },
};

/** A better answer than the call's: its text, or a whole message of the assistant. */
const CORRECTION: TypeForm = {
  references: NONE,
  scorerFields: 'absent',
  payload: ({ payload: { output } }) => {
    const loc = ['payload', 'output'];
    if (output === undefined) return [issue('missing', loc)];
    if (typeof output === 'string') return output === '' ? [lengthIssue('short', 1, loc)] : [];
    if (!isJsonObject(output)) return [valueIssue('Input should be a string or a message', loc)];
    const { role, content, tool_calls: calls } = output;
    if (role !== 'assistant') return [valueIssue("Input should be 'assistant'", [...loc, 'role'])];
    const says = typeof content === 'string' ? content !== '' : Array.isArray(content) && content.length > 0;
    return says || (Array.isArray(calls) && calls.length > 0)
      ? []
      : [valueIssue('The message should have content or tool calls', loc)];
  },
};

/** The call of a ref; an issue: it is none of the project. */
function callOf(value: unknown, project: string, loc: string[]): CallRef | Issue {
  if (value === undefined) return issue('missing', loc);
  if (typeof value !== 'string') return issue('string_type', loc);
  const ref = parseRef(value);
  if (ref?.kind !== 'call') return valueIssue('Input should be the ref of a call', loc);
  return ref.projectId === project ? ref : valueIssue(`The ref should be of project '${project}'`, loc);
}

function reasonIssues(reason: unknown): Issue[] {
  const loc = ['payload', 'reason'];
  if (reason === undefined || reason === null) return [];
  if (typeof reason !== 'string') return [issue('string_type', loc)];
  return hasMoreThan(MAX_NOTE, reason) ? [lengthIssue('long', MAX_NOTE, loc)] : [];
}

/** Which of two answers to the same messages is better; what is judged is the better one. */
const PREFERENCE: TypeForm = {
  references: NONE,
  scorerFields: 'absent',
  payload: ({ payload, project_id }) => {
    const { chosen, rejected, reason } = payload;
    const calls = [
      callOf(chosen, project_id, ['payload', 'chosen']),
      callOf(rejected, project_id, ['payload', 'rejected']),
    ];
    const issues = [...calls.filter((call) => 'msg' in call), ...reasonIssues(reason)];
    const [better, worse] = calls as CallRef[];
    return issues.length === 0 && better?.callId === worse?.callId
      ? [valueIssue("Input should be another call than 'chosen'", ['payload', 'rejected'])]
      : issues;
  },
  further: ({ trace_ref, payload: { chosen } }) => {
    if (trace_ref === undefined) return [issue('missing', ['trace_ref'])];
    const [judged, better] = [parseRef(trace_ref), typeof chosen === 'string' ? parseRef(chosen) : undefined];
    const isSame = judged?.kind === 'call' && better?.kind === 'call' && judged.callId === better.callId;
    return isSame || better?.kind !== 'call'
      ? []
      : [valueIssue("Input should be the call of 'payload.chosen'", ['trace_ref'])];
  },
};

const annotation = (name: string): TypeForm => ({
  references: { annotation_ref: 'required', runnable_ref: 'optional', call_ref: 'optional', trigger_ref: 'optional' },
  scorerFields: 'absent',
  payload: ({ payload }) => (Object.hasOwn(payload, 'value') ? [] : [issue('missing', ['payload', 'value'])]),
  further: ({ annotation_ref, project_id }) => {
    const ref = parseRef(annotation_ref ?? '') as ObjectRef | undefined;
    if (!ref) return [];
    if (ref.name !== name) return [valueIssue(`The ref should name '${name}'`, ['annotation_ref'])];
    return ref.projectId === project_id
      ? []
      : [valueIssue(`The ref should be of project '${project_id}'`, ['annotation_ref'])];
  },
});

const runnable = (name: string): TypeForm => ({
  references: { annotation_ref: 'absent', runnable_ref: 'required', call_ref: 'optional', trigger_ref: 'optional' },
  scorerFields: 'optional',
  payload: ({ payload }) => (Object.hasOwn(payload, 'output') ? [] : [issue('missing', ['payload', 'output'])]),
  further: ({ runnable_ref, call_ref }) => {
    const ref = parseRef(runnable_ref ?? '') as ObjectRef | undefined;
    if (!ref) return [];
    if (ref.name !== name) return [valueIssue(`The ref should name '${name}'`, ['runnable_ref'])];
    return ref.kind === 'op' && !call_ref ? [issue('missing', ['call_ref'])] : [];
  },
});

const AGENT_MONITOR: TypeForm = {
  references: { annotation_ref: 'absent', runnable_ref: 'required', call_ref: 'required', trigger_ref: 'required' },
  scorerFields: 'optional',
  payload: () => [],
};

const AGENT_USER_FEEDBACK: TypeForm = {
  references: NONE,
  scorerFields: 'optional',
  payload: () => [],
  further: ({ scorer_tags }) => (scorer_tags?.length ? [] : [issue('missing', ['scorer_tags'])]),
};

const NAMED = /^hone\.(annotation|runnable)(?:\.(.*))?$/s;

/** The form of a reserved type; undefined for every free-form type; an issue for a reserved type without its name. */
function formOf(feedbackType: string): TypeForm | Issue | undefined {
  switch (feedbackType) {
    case 'hone.note.1':
      return NOTE;
    case 'hone.reaction.1':
      return REACTION;
    case 'hone.correction.1':
      return CORRECTION;
    case 'hone.preference.1':
      return PREFERENCE;
    case 'hone.agent_monitor':
      return AGENT_MONITOR;
    case 'hone.agent_user_feedback':
      return AGENT_USER_FEEDBACK;
  }
  const named = NAMED.exec(feedbackType);
  if (!named) return undefined;
  const [, kind, name] = named;
  if (!name) return valueIssue(`The type should be 'hone.${kind}.<name>'`, ['feedback_type']);
  return kind === 'annotation' ? annotation(name) : runnable(name);
}

/** Whether the server gives meaning to this type. */
export const isReserved = (feedbackType: string): boolean => formOf(feedbackType) !== undefined;

/** The name in `hone.annotation.<name>`. */
export const annotationName = (feedbackType: string): string | undefined => {
  const named = NAMED.exec(feedbackType);
  return named?.[1] === 'annotation' ? named[2] : undefined;
};

/** Everything that is wrong with a body without looking anything up, beyond what its fields say one by one. */
export const formIssues = (body: FeedbackCreateDto): Issue[] => [...subjectIssues(body), ...typeIssues(body)];

const subjectIssues = ({ trace_ref, completion_id }: FeedbackCreateDto): Issue[] =>
  trace_ref !== undefined && (completion_id ?? null) !== null
    ? [valueIssue('Should be absent beside trace_ref', ['completion_id'])]
    : [];

/** Of a reserved type, in the order of the fields. */
function typeIssues(body: FeedbackCreateDto): Issue[] {
  const form = formOf(body.feedback_type);
  if (!form) return [];
  if ('msg' in form) return [form];
  const unwelcome = (field: string) =>
    valueIssue(`Should be absent in feedback of type '${body.feedback_type}'`, [field]);
  const references = REFERENCES.flatMap((field) => {
    if (form.references[field] === 'absent' && body[field]) return [unwelcome(field)];
    return form.references[field] === 'required' && !body[field] ? [issue('missing', [field])] : [];
  });
  const scorerFields =
    form.scorerFields === 'absent' ? SCORER_FIELDS.filter((field) => hasEntries(body[field])).map(unwelcome) : [];
  return [...form.payload(body), ...references, ...(form.further?.(body) ?? []), ...scorerFields];
}

const hasEntries = (value: object | null | undefined): boolean => !!value && Object.keys(value).length > 0;
