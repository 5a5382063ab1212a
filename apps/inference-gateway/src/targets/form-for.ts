import { CHAT_ONLY } from '../shared/endpoint.js';
import type { ChatRequest, Target } from './target.js';

/** The form of a request that a target gets: that of the request's door where the target speaks it. */
export const formFor = ({ endpoints = CHAT_ONLY }: Pick<Target, 'endpoints'>, request: ChatRequest): ChatRequest =>
  request.native !== undefined && endpoints.has(request.native.endpoint) ? request.native : request;
