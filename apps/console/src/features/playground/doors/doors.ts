import { CHAT_DOOR } from './chat-door.js';
import type { Door } from './door.js';
import { MESSAGES_DOOR } from './messages-door.js';
import { RESPONSES_DOOR } from './responses-door.js';

export const DOORS: readonly Door[] = [CHAT_DOOR, RESPONSES_DOOR, MESSAGES_DOOR];

/** @param name as in the address; one that no door has means chat completions */
export const doorOf = (name: string): Door => DOORS.find((door) => door.name === name) ?? CHAT_DOOR;
