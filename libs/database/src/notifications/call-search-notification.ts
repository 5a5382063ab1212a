/** A query waits for calls of a project to become searchable. Payload: row id of the project. */
export const CALL_SEARCH_CHANNEL = 'call_search';
