/** The type of feedback that a thumb is stored as. */
export const REACTION = 'hone.reaction.1';
