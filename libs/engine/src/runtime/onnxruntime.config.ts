/**
 * The published builds of ONNX Runtime report to their maker which graphs are opened, and keep files for that in the
 * temporary folder, unless this is set before the first one is. A thread cannot set it for its process: what starts
 * threads imports this, too.
 */
process.env.ORT_DISABLE_TELEMETRY = '1';
