import type { Hone } from '@hone/client';

/** One trace of an agent. */
interface AgentTrace {
  readonly id: string;
  /** How long ago it began. */
  readonly minutesAgo: number;
  readonly question: string;
  readonly answer: string;
  readonly user: string;
  /** The tool that it used. */
  readonly tool: string;
  /** Whether the tool failed. */
  readonly isToolBroken?: boolean;
  /** What the whole failed with. */
  readonly exception?: string;
  /** Emojis that people gave. */
  readonly reactions?: readonly string[];
}

const DAY = 1_440;
const REFUND = 'Can I have a refund for the order of last week?';
/** Of today, of yesterday and of the days before. */
export const AGENT_TRACES: readonly AgentTrace[] = [
  {
    ...{ id: 'a1', minutesAgo: 2, question: 'How do I reset my password?', answer: 'Open Settings, then Security.' },
    ...{ user: 'ada', tool: 'search_docs', reactions: ['👍', '👍'] },
  },
  {
    ...{ id: 'a2', minutesAgo: 9, question: REFUND, answer: 'The refund is on its way.', user: 'grace' },
    ...{ tool: 'lookup_order', isToolBroken: true, reactions: ['👎'] },
  },
  {
    ...{ id: 'a3', minutesAgo: DAY, question: REFUND, answer: 'I could not look up the refund.', user: 'ada' },
    ...{ tool: 'lookup_order', isToolBroken: true },
  },
  {
    ...{ id: 'a4', minutesAgo: DAY, question: REFUND, answer: 'The refund was sent.', user: 'linus' },
    ...{ tool: 'lookup_order' },
  },
  {
    ...{ id: 'a5', minutesAgo: DAY, question: 'What does it cost?', answer: 'Ten dollars a month.', user: 'ada' },
    ...{ tool: 'lookup_order', isToolBroken: true },
  },
  {
    ...{ id: 'a6', minutesAgo: DAY, question: 'مرحبا، أين طلبي؟', answer: 'No refund is due.', user: 'grace' },
    ...{ tool: 'search_docs', exception: 'Traceback (most recent call last):\n  …\nTimeoutError: no answer in 30 s' },
  },
  {
    ...{ id: 'a7', minutesAgo: 4 * DAY, question: REFUND, answer: 'The refund failed.', user: 'linus' },
    ...{ tool: 'lookup_order', isToolBroken: true },
  },
];

/** Of yesterday, as it is in the reader's time zone: an hour of it that no clock change takes away. */
function timeOf({ minutesAgo }: AgentTrace): number {
  if (minutesAgo < DAY) return Date.now() - minutesAgo * 60_000;
  const day = new Date();
  day.setDate(day.getDate() - minutesAgo / DAY);
  return day.setHours(12, 0, 0, 0);
}

/** Traces of an agent, each a root, a tool and a model with usage: the roots themselves used no model. @returns how many */
export async function seedAgentTraces(hone: Hone, projectId: string): Promise<number> {
  const [entity = '', project = ''] = projectId.split('/');
  await hone.trace.completeProjectCalls({ entity, project }, {
    batch: AGENT_TRACES.flatMap((one, index) => callsOf(projectId, one, index)),
  } as never);
  for (const { id, reactions = [] } of AGENT_TRACES)
    for (const emoji of reactions)
      await hone.trace.createFeedback({
        ...{ project_id: projectId, trace_ref: `hone:///${projectId}/call/${idOf(projectId, id)}` },
        ...{ feedback_type: 'hone.reaction.1', payload: { emoji } },
      } as never);
  return AGENT_TRACES.length;
}

/** Ids are of one call in all projects. */
const idOf = (projectId: string, id: string): string => `${projectId.replace('/', '-')}-${id}`;

function callsOf(projectId: string, one: AgentTrace, index: number): object[] {
  const { question, answer, user, tool, isToolBroken = false, exception } = one;
  const began = timeOf(one) + 1_000 * index;
  const id = idOf(projectId, one.id);
  const at = (ms: number) => new Date(began + ms).toISOString();
  const call = (part: string, parent: string | null, from: number, to: number, more: object) => ({
    ...{ id: part === '' ? id : `${id}-${part}`, trace_id: `t-${id}`, parent_id: parent, attributes: {}, summary: {} },
    ...{ started_at: at(from), ended_at: at(to) },
    ...more,
  });
  const used = { requests: 1, prompt_tokens: 800 + 40 * index, completion_tokens: 60 + index };
  return [
    call('', null, 0, 2_400 + 300 * index, {
      ...{ op_name: 'answer_customer', inputs: { question }, output: answer, attributes: { user, plan: 'pro' } },
      ...(exception && { exception }),
    }),
    call('tool', id, 50, 900, {
      ...{ op_name: tool, inputs: { text: question }, output: isToolBroken ? null : { found: 3 } },
      ...(isToolBroken && { exception: 'ConnectionError: the shop did not answer' }),
    }),
    call('model', id, 950, 2_300, {
      ...{ op_name: 'openai.chat.completions.create', summary: { usage: { 'gpt-4.1': used } } },
      inputs: { model: 'gpt-4.1', messages: [{ role: 'user', content: question }] },
      output: { choices: [{ message: { role: 'assistant', content: answer } }] },
    }),
  ];
}
