/** Made-up rollouts: as many groups of two as asked for, one answer good and one bad, in rows of their own. */
export const someGroups = (count: number, seed = 1): object[] =>
  Array.from({ length: count }, (_, group) => ({
    trajectories: [0, 1].map((reward) => ({
      reward,
      initial_policy_version: 0,
      messages_and_choices: [
        { role: 'user', content: 'Say something.' },
        aChoice(
          [1, 2, 3, 4, 5].map((at) => idOf(seed * 7 + group * 11 + at)),
          [1, 2, 3, 4, 5, 6, 7].map((at) => idOf(seed * 13 + group * 17 + reward * 29 + at * 3)),
        ),
      ],
    })),
  }));

/** Groups of two with answers of so many tokens. */
export const longGroups = (count: number, tokens: number): object[] =>
  Array.from({ length: count }, (_, group) => ({
    trajectories: [0, 1].map((reward) => ({
      reward,
      messages_and_choices: [
        { role: 'user', content: 'Say a lot.' },
        aChoice(
          [11, 12, 13],
          Array.from({ length: tokens }, (_id, at) => idOf(group * 31 + reward * 17 + at * 7)),
        ),
      ],
    })),
  }));

/** With these a group's two answers do not fit into one row: as many gradient steps as trajectories. */
export const ONE_BY_ONE = { packed_sequence_length: 16, learning_rate: 1e-3 };

const idOf = (number: number) => 10 + (number % 400);

const aChoice = (prompt: number[], answer: number[]) => ({
  message: { role: 'assistant', content: 'Something.' },
  finish_reason: 'stop',
  prompt_token_ids: prompt,
  token_ids: answer,
  logprobs: { content: answer.map((id) => ({ token: `token_id:${id}`, logprob: -2 - (id % 5) / 10 })) },
});

/** Conversations to learn from. */
export const someLines = (count: number): object[] =>
  Array.from({ length: count }, (_, index) => ({
    messages: [
      { role: 'user', content: `repeat: w${index}` },
      { role: 'assistant', content: `w${index} w${index}` },
    ],
  }));

/** Answers that are liked and disliked in turn, to learn from by KTO. */
export const someThumbs = (count: number): object[] =>
  Array.from({ length: count }, (_, index) => ({
    prompt: `repeat: w${index}`,
    completion: index % 2 === 0 ? `w${index}` : 'no',
    label: index % 2 === 0,
  }));
