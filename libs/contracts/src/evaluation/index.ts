export * from './scorer-kinds.dto.js';
