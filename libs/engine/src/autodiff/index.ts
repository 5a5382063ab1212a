export { gradients } from './gradients.js';
