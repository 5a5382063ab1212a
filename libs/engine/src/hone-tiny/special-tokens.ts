/** The special tokens of the bundled model. Their ids are 0, 1, 2, ... in this order. */
export const SPECIAL = {
  pad: '<|pad|>',
  bos: '<|bos|>',
  system: '<|system|>',
  user: '<|user|>',
  assistant: '<|assistant|>',
  tool: '<|tool|>',
  tools: '<|tools|>',
  toolCall: '<|tool_call|>',
  end: '<|end|>',
} as const;

export const SPECIAL_TOKENS: readonly string[] = Object.values(SPECIAL);

export const specialId = (name: keyof typeof SPECIAL): number => SPECIAL_TOKENS.indexOf(SPECIAL[name]);
