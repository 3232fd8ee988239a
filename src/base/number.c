// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A number is w · 10^e with a whole w. Three ways, each exact or correctly rounded:
//   1 w ≤ 2^53, |e| ≤ 22: both w and 10^|e| are doubles, so one multiplication or division
//     rounds once (W. D. Clinger, How to read floating point numbers accurately, PLDI 1990).
//   2 w < 2^64, |e| ≤ 27: 5^|e| fits into 64 bits; product or quotient in 128-bit integers,
//     rounded to 53 bits by hand; the remainder decides ties.
//   3 anything else: strtod in the C locale.
#define _GNU_SOURCE // strtod_l
#include "base/number.h"

#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// The pieces -------------------------------------------------------------------------------------

typedef struct decimal {
    uint64_t digits;  // w
    int64_t exponent; // e
    bool negative;
    bool whole; // false: more than 19 digits, w is not all of it
} decimal;

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Reads digits into d, each scaling the number by `scale` powers of ten; returns the first other
// character.
static const char* read_digits(const char* c, const char* end, int scale, decimal* d)
{
    for (; c < end && is_digit(*c); c++) {
        if (d->digits > (UINT64_MAX - 9) / 10) {
            d->whole = false;
            continue;
        }
        d->digits = 10 * d->digits + (uint64_t)(*c - '0');
        d->exponent -= scale;
    }
    return c;
}

static bool read_decimal(const char* c, const char* end, decimal* d)
{
    *d = (decimal){.whole = true};
    if (c < end && (*c == '-' || *c == '+')) d->negative = *c++ == '-';
    const char* first = c;
    c = read_digits(c, end, 0, d);
    size_t count = (size_t)(c - first);
    if (c < end && *c == '.') {
        const char* fraction = ++c;
        c = read_digits(c, end, 1, d);
        count += (size_t)(c - fraction);
    }
    if (count == 0) return false;
    if (c < end && (*c == 'e' || *c == 'E')) {
        bool negative = false;
        if (++c < end && (*c == '-' || *c == '+')) negative = *c++ == '-';
        if (c == end) return false;
        int64_t exponent = 0;
        for (; c < end && is_digit(*c); c++)
            if (exponent < 100000) exponent = 10 * exponent + (*c - '0');
        d->exponent += negative ? -exponent : exponent;
    }
    return c == end;
}

// Rounding ---------------------------------------------------------------------------------------

// m · 2^shift rounded to nearest even; `sticky`: a bit below m's last one is set. m has 54 bits or
// more.
static double round_to_double(unsigned __int128 m, int shift, bool sticky)
{
    const int bits =
        (m >> 64) ? 128 - __builtin_clzll((uint64_t)(m >> 64)) : 64 - __builtin_clzll((uint64_t)m);
    const int drop = bits - 53;
    uint64_t top = (uint64_t)(m >> drop);
    const unsigned __int128 rest = m & (((unsigned __int128)1 << drop) - 1);
    const unsigned __int128 half = (unsigned __int128)1 << (drop - 1);
    if (rest > half || (rest == half && (sticky || (top & 1)))) top++;
    return ldexp((double)top, shift + drop); // never subnormal for |e| ≤ 27
}

static const uint64_t FIVE[28] = {UINT64_C(1),
                                  UINT64_C(5),
                                  UINT64_C(25),
                                  UINT64_C(125),
                                  UINT64_C(625),
                                  UINT64_C(3125),
                                  UINT64_C(15625),
                                  UINT64_C(78125),
                                  UINT64_C(390625),
                                  UINT64_C(1953125),
                                  UINT64_C(9765625),
                                  UINT64_C(48828125),
                                  UINT64_C(244140625),
                                  UINT64_C(1220703125),
                                  UINT64_C(6103515625),
                                  UINT64_C(30517578125),
                                  UINT64_C(152587890625),
                                  UINT64_C(762939453125),
                                  UINT64_C(3814697265625),
                                  UINT64_C(19073486328125),
                                  UINT64_C(95367431640625),
                                  UINT64_C(476837158203125),
                                  UINT64_C(2384185791015625),
                                  UINT64_C(11920928955078125),
                                  UINT64_C(59604644775390625),
                                  UINT64_C(298023223876953125),
                                  UINT64_C(1490116119384765625),
                                  UINT64_C(7450580596923828125)};

static double by_integers(uint64_t w, int e)
{
    if (e >= 0) {
        // w 10^e = w 5^e · 2^e; shifted up so that there are bits to drop.
        const unsigned __int128 product = (unsigned __int128)w * FIVE[e];
        if (product >> 64) return round_to_double(product, e, false);
        return round_to_double(product << 64, e - 64, false);
    }
    // w / 10^n = (w 2^s) / (5^n 2^t) · 2^(t - s - n), both normalised so that the quotient has 63
    // or 64 bits.
    const int n = -e, s = __builtin_clzll(w), t = __builtin_clzll(FIVE[n]);
    const uint64_t divisor = FIVE[n] << t;
    const unsigned __int128 dividend = (unsigned __int128)(w << s) << 63;
    const uint64_t quotient = (uint64_t)(dividend / divisor);
    const bool sticky = (uint64_t)(dividend % divisor) != 0;
    return round_to_double(quotient, t - s - n - 63, sticky);
}

// The slow way. The text was checked, so strtod reads all of it.
static kai_number_status by_strtod(const char* text, const char* end, double* out)
{
    static locale_t c_locale; // made once; a race makes it twice and loses a few bytes
    locale_t locale = __atomic_load_n(&c_locale, __ATOMIC_ACQUIRE);
    if (!locale) {
        locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
        if (locale) __atomic_store_n(&c_locale, locale, __ATOMIC_RELEASE);
    }
    char copy[KAI_NUMBER_LONGEST + 1];
    memcpy(copy, text, (size_t)(end - text));
    copy[end - text] = '\0';
    *out = locale ? strtod_l(copy, NULL, locale) : strtod(copy, NULL);
    return isfinite(*out) ? KAI_NUMBER_OK : KAI_NUMBER_TOO_LARGE;
}

kai_number_status kai_number_parse(const char* text, const char* end, double* out)
{
    static const double TEN[23] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                   1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                   1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    decimal d;
    if (end - text > KAI_NUMBER_LONGEST) return KAI_NUMBER_TOO_LONG;
    if (!read_decimal(text, end, &d)) return KAI_NUMBER_BAD;
    if (!d.whole || d.exponent < -27 || d.exponent > 27) return by_strtod(text, end, out);

    double x;
    const int e = (int)d.exponent;
    if (d.digits <= (UINT64_C(1) << 53) && e >= -22 && e <= 22)
        x = e < 0 ? (double)d.digits / TEN[-e] : (double)d.digits * TEN[e];
    else if (d.digits == 0)
        x = 0.0;
    else
        x = by_integers(d.digits, e);
    *out = d.negative ? -x : x;
    return KAI_NUMBER_OK;
}
