"""Settings of all tests: hypothesis judges by what comes out, never by a clock."""

from hypothesis import HealthCheck, settings

settings.register_profile("xwtui", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("xwtui")
