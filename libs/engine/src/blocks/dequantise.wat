;; Blocks to float32, eight numbers at a time. The numbers are those of dequantise.ts to the last bit: products and sums in
;; float64, one rounding at the end. dequantise-module.ts holds this module's bytes.
(module
  (import "env" "memory" (memory 1))
  (func (export "dequantise")
    (param $bits i32)     ;; of a code: 4 or 8
    (param $zero i32)     ;; code of the number 0
    (param $eights i32)   ;; eights of a block
    (param $blocks i32)   ;; at least 1
    (param $codes i32) (param $scales i32) (param $offsets i32) (param $target i32) ;; addresses
    (local $zeros v128) (local $scale v128) (local $offset v128)
    (local $left i32)     ;; eights of this block that are left
    (local $q v128)       ;; eight codes, then their distances from the zero
    (local $four v128)    ;; of these
    (local.set $zeros (i16x8.splat (local.get $zero)))
    (loop $block
      (local.set $scale (f64x2.promote_low_f32x4 (v128.load32_splat (local.get $scales))))
      (local.set $offset (f64x2.promote_low_f32x4 (v128.load32_splat (local.get $offsets))))
      (local.set $left (local.get $eights))
      (loop $eight
        (if (i32.eq (local.get $bits) (i32.const 4))
          (then
            ;; The lower halves of four bytes and the upper ones in turns.
            (local.set $q (v128.load32_zero (local.get $codes)))
            (local.set $q
              (i8x16.shuffle 0 16 1 17 2 18 3 19 4 4 4 4 4 4 4 4
                (v128.and (local.get $q) (i8x16.splat (i32.const 15)))
                (i8x16.shr_u (local.get $q) (i32.const 4))))
            (local.set $codes (i32.add (local.get $codes) (i32.const 4))))
          (else
            (local.set $q (v128.load64_zero (local.get $codes)))
            (local.set $codes (i32.add (local.get $codes) (i32.const 8)))))
        (local.set $q (i16x8.sub (i16x8.extend_low_i8x16_u (local.get $q)) (local.get $zeros)))
        (local.set $four (i32x4.extend_low_i16x8_s (local.get $q)))
        ;; Two float64 at a time, and two such pairs together.
        (v128.store (local.get $target)
          (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23
            (f32x4.demote_f64x2_zero
              (f64x2.add
                (f64x2.mul (f64x2.convert_low_i32x4_s (local.get $four)) (local.get $scale))
                (local.get $offset)))
            (f32x4.demote_f64x2_zero
              (f64x2.add
                (f64x2.mul
                  (f64x2.convert_low_i32x4_s
                    (i8x16.shuffle 8 9 10 11 12 13 14 15 8 9 10 11 12 13 14 15 (local.get $four) (local.get $four)))
                  (local.get $scale))
                (local.get $offset)))))
        (local.set $four (i32x4.extend_high_i16x8_s (local.get $q)))
        (v128.store offset=16 (local.get $target)
          (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23
            (f32x4.demote_f64x2_zero
              (f64x2.add
                (f64x2.mul (f64x2.convert_low_i32x4_s (local.get $four)) (local.get $scale))
                (local.get $offset)))
            (f32x4.demote_f64x2_zero
              (f64x2.add
                (f64x2.mul
                  (f64x2.convert_low_i32x4_s
                    (i8x16.shuffle 8 9 10 11 12 13 14 15 8 9 10 11 12 13 14 15 (local.get $four) (local.get $four)))
                  (local.get $scale))
                (local.get $offset)))))
        (local.set $target (i32.add (local.get $target) (i32.const 32)))
        (br_if $eight (local.tee $left (i32.sub (local.get $left) (i32.const 1)))))
      (local.set $scales (i32.add (local.get $scales) (i32.const 4)))
      (local.set $offsets (i32.add (local.get $offsets) (i32.const 4)))
      (br_if $block (local.tee $blocks (i32.sub (local.get $blocks) (i32.const 1)))))))
