/** Coefficients of each range, highest power first. */
type Ratio = readonly [above: readonly number[], below: readonly number[]];

/** W. J. Cody, Rational Chebyshev approximations for the error function, Mathematics of Computation 23 (1969) 631. */
const NEAR: Ratio = [
  [0.18577770618460315, 3.1611237438705655, 113.86415415105016, 377.485237685302, 3209.3775891384694],
  [1, 23.601290952344122, 244.02463793444417, 1282.6165260773723, 2844.236833439171],
];
const MIDDLE: Ratio = [
  [
    2.1531153547440383e-8, 0.5641884969886701, 8.883149794388377, 66.11919063714163, 298.6351381974001,
    881.952221241769, 1712.0476126340707, 2051.0783778260716, 1230.3393547979972,
  ],
  [
    1, 15.744926110709835, 117.6939508913125, 537.1811018620099, 1621.3895745666903, 3290.7992357334597,
    4362.619090143247, 3439.3676741437216, 1230.3393548037495,
  ],
];
const FAR: Ratio = [
  [
    0.016315387137302097, 0.30532663496123236, 0.36034489994980445, 0.12578172611122926, 0.016083785148742275,
    0.0006587491615298378,
  ],
  [1, 2.568520192289822, 1.8729528499234673, 0.5279051029514285, 0.06051834131244132, 0.0023352049762686918],
];
/** M. J. Wichura, Algorithm AS 241, Applied Statistics 37 (1988) 477: PPND16. */
const CENTRE: Ratio = [
  [
    2509.0809287301227, 33430.57558358813, 67265.7709270087, 45921.95393154987, 13731.69376550946, 1971.5909503065513,
    133.14166789178438, 3.3871328727963665,
  ],
  [
    5226.495278852546, 28729.085735721943, 39307.89580009271, 21213.794301586597, 5394.196021424751, 687.1870074920579,
    42.31333070160091, 1,
  ],
];
const TAIL: Ratio = [
  [
    0.0007745450142783414, 0.022723844989269184, 0.2417807251774506, 1.2704582524523684, 3.6478483247632045,
    5.769497221460691, 4.630337846156546, 1.4234371107496835,
  ],
  [
    1.0507500716444169e-9, 0.0005475938084995345, 0.015198666563616457, 0.14810397642748008, 0.6897673349851,
    1.6763848301838038, 2.053191626637759, 1,
  ],
];
const FAR_TAIL: Ratio = [
  [
    2.0103343992922881e-7, 0.000027115555687434876, 0.0012426609473880784, 0.026532189526576124, 0.29656057182850487,
    1.7848265399172913, 5.463784911164114, 6.657904643501103,
  ],
  [
    2.0442631033899397e-15, 1.421511758316446e-7, 0.000018463183175100548, 0.0007868691311456133, 0.014875361290850615,
    0.1369298809227358, 0.599832206555888, 1,
  ],
];
const ROOT_PI = Math.sqrt(Math.PI);

/** Probability that a standard normal value is at most `z`, to 15 digits. */
export function normalCdf(z: number): number {
  return complementaryError(-z / Math.SQRT2) / 2;
}

/**
 * The z below which a share of the standard normal distribution lies, to 15 digits.
 *
 * @param share 0 to 1, both excluded
 * @throws RangeError the share is out of its range
 */
export function normalQuantile(share: number): number {
  if (!(share > 0 && share < 1)) throw new RangeError(`share must lie between 0 and 1, got ${share}`);
  const gap = share - 0.5;
  if (Math.abs(gap) <= 0.425) return gap * ratio(CENTRE, 0.180625 - gap * gap);
  const depth = Math.sqrt(-Math.log(gap < 0 ? share : 1 - share));
  const z = depth <= 5 ? ratio(TAIL, depth - 1.6) : ratio(FAR_TAIL, depth - 5);
  return gap < 0 ? -z : z;
}

function complementaryError(x: number): number {
  const size = Math.abs(x);
  if (size <= 0.46875) return 1 - x * ratio(NEAR, size * size);
  const tail = Math.exp(-size * size) * (size <= 4 ? ratio(MIDDLE, size) : farTail(size));
  return x < 0 ? 2 - tail : tail;
}

function farTail(size: number): number {
  const inverse = 1 / (size * size);
  return (1 / ROOT_PI - inverse * ratio(FAR, inverse)) / size;
}

function ratio([above, below]: Ratio, x: number): number {
  return polynomial(above, x) / polynomial(below, x);
}

function polynomial(coefficients: readonly number[], x: number): number {
  return coefficients.reduce((sum, coefficient) => sum * x + coefficient, 0);
}
