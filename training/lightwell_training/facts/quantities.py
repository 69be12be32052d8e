"""Pools of numbers, times, dates, prices and codes."""


class Quantities:
    """Part of Pools, which has the source `random` and the method `draw`."""

    def make_number(self):
        return str(
            self.random.choice([self.random.randint(2, 12), self.random.randint(2, 99), self.random.randint(2, 300)])
        )

    def make_digit(self):
        return str(self.random.randint(0, 9))

    def make_small(self):
        return self.random.choice(["1", "2", "3", "4", "5", "6", "7", "8", "two", "three", "four", "five", "six"])

    def make_big(self):
        return (
            f"{self.random.randint(1, 99)},{self.random.randint(0, 999):03d}"
            if self.random.random() < 0.5
            else str(self.random.randint(200, 9999))
        )

    def make_year(self):
        return str(self.random.randint(1200, 2024))

    def make_time(self):
        hour = self.random.randint(1, 12)
        minute = self.random.choice(["00", "15", "30", "45", "10", "20", "05", "40", "50"])
        half = self.random.choice(["am", "pm"])
        return self.random.choice(
            [
                f"{hour} {half}",
                f"{hour}:{minute} {half}",
                f"{hour}:{minute}",
                f"{hour} o'clock",
                f"{hour} in the {'morning' if half == 'am' else 'evening'}",
                f"{self.random.randint(0, 23)}:{minute}",
            ]
        )

    def make_date(self):
        day, month = self.random.randint(1, 28), self.draw("month")
        return self.random.choice([f"{day} {month}", f"{month} {day}", f"{month} {day}", f"the {day}th of {month}"])

    def make_price(self):
        whole = self.random.choice([self.random.randint(1, 20), self.random.randint(2, 400)])
        cents = self.random.choice(["50", "99", "20", "75", "05", "40"])
        return self.random.choice(
            [
                f"{whole} dollars",
                f"{whole} euros",
                f"${whole}",
                f"${whole}.{cents}",
                f"{whole} pounds",
                f"£{whole}",
                f"{whole} coins",
            ]
        )

    def make_phone(self):
        def digits(count):
            return "".join(self.random.choice("0123456789") for _ in range(count))

        return self.random.choice(
            [f"{digits(3)}-{digits(3)}-{digits(4)}", f"{digits(3)}-{digits(4)}", f"0{digits(3)} {digits(4)}", digits(6)]
        )

    def make_code(self):
        return "".join(self.random.choice("ABCDEFGHKLMNPRSTUVWXYZ0123456789") for _ in range(self.random.randint(3, 6)))
