/** What a model may do that answers no chats. */
export const MODEL_KINDS = ['embedding', 'image', 'speech', 'transcription'] as const;
export type ModelKind = (typeof MODEL_KINDS)[number];
