#!/usr/bin/env python3
"""Certificates by hand, renewed for years: no day comes on which a webhook lapses.

    tests/cli/test_certs_years.py APPLYGUARD
"""
import unittest

import test_certs


class Renew(test_certs.Certs):
    def test_years_of_daily_renewals(self):
        """Every day's certificate verifies with the ca.crt of that day and of the day before, for three years."""
        self.create()
        yesterday = self.save_bundle("yesterday")
        authorities = set(self.bundle())
        for day in range(0, 3 * 365, 15):
            for hour in (0, 24):
                now = test_certs.NOW + day * test_certs.DAY + hour * 3600
                self.renew(at=now)
                self.assertTrue(self.verifies(at=now), day)
                self.assertTrue(self.verifies(at=now, ca=yesterday), day)
                yesterday = self.save_bundle("yesterday")
                self.assertLessEqual(len(self.bundle()), 2)
                authorities.update(self.bundle())
        self.assertTrue(self.key_matches())
        self.assertIn(len(authorities), (5, 6))


if __name__ == "__main__":
    unittest.main()
