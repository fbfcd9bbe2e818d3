"""The crawler of Tenhou's records, and the records behind links."""

from janshi.riichi.records.crawl.config import (
    CrawlConfig,
    CrawlError,
    Politeness,
    RecordFilter,
    parse_years,
    this_year,
)
from janshi.riichi.records.crawl.crawler import CrawlProgress, CrawlResult, Year, check_record, crawl

__all__ = [
    "CrawlConfig",
    "CrawlError",
    "CrawlProgress",
    "CrawlResult",
    "Politeness",
    "RecordFilter",
    "Year",
    "check_record",
    "crawl",
    "parse_years",
    "this_year",
]
