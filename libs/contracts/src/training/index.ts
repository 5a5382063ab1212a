export * from './trajectories.dto.js';
