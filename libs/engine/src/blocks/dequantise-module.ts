/** The bytes of `dequantise.wat` in base64: bundled code contains them. A spec compares them with the source. */
const ENCODED =
  'AGFzbQEAAAABDAFgCH9/f39/f39/AAIPAQNlbnYGbWVtb3J5AgABAwIBAAcOAQpkZXF1YW50aXNlAAAK1QIB0gIDA3sBfwJ7IAH9' +
  'ECEIA0AgBf0JAgD9XyEJIAb9CQIA/V8hCiACIQsDQCAAQQRGBEAgBP1cAgAhDCAMQQ/9D/1OIAxBBP1t/Q0AEAERAhIDEwQEBAQE' +
  'BAQEIQwgBEEEaiEEBSAE/V0DACEMIARBCGohBAsgDP2JASAI/ZEBIQwgDP2nASENIAcgDf3+ASAJ/fIBIAr98AH9XiANIA39DQgJ' +
  'CgsMDQ4PCAkKCwwNDg/9/gEgCf3yASAK/fAB/V79DQABAgMEBQYHEBESExQVFhf9CwQAIAz9qAEhDSAHIA39/gEgCf3yASAK/fAB' +
  '/V4gDSAN/Q0ICQoLDA0ODwgJCgsMDQ4P/f4BIAn98gEgCv3wAf1e/Q0AAQIDBAUGBxAREhMUFRYX/QsEECAHQSBqIQcgC0EBayIL' +
  'DQALIAVBBGohBSAGQQRqIQYgA0EBayIDDQALCw==';

type Dequantise = (
  bits: number,
  zero: number,
  eights: number,
  blocks: number,
  codes: number,
  scales: number,
  offsets: number,
  target: number,
) => void;

export const DEQUANTISE_MODULE: Uint8Array = Buffer.from(ENCODED, 'base64');

export interface WasmMemory {
  readonly buffer: ArrayBuffer;
}

/** The part of WebAssembly's API that is used here: TypeScript declares it in its browser library only. */
declare const WebAssembly: {
  readonly Memory: new (pages: { initial: number }) => WasmMemory;
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { exports: Readonly<Record<string, unknown>> };
};

const PAGE_BYTES = 2 ** 16;

/** Null: it has no room for so many bytes. */
export function openWasmMemory(bytes: number): WasmMemory | null {
  try {
    return new WebAssembly.Memory({ initial: Math.ceil(bytes / PAGE_BYTES) });
  } catch {
    return null;
  }
}

/** The module's function, on this memory. */
export function dequantiseIn(memory: WasmMemory): Dequantise {
  const instance = new WebAssembly.Instance(new WebAssembly.Module(DEQUANTISE_MODULE), { env: { memory } });
  return instance.exports['dequantise'] as Dequantise;
}
