#!/usr/bin/python3
"""Generates an AWS-sized price list and streams it through the AWS parser: time as a ratio to `wc -l` on the same file, and memory.

    bench_feed.py BINARY [MEGABYTES]   (2048 by default)
"""
import json
import os
import subprocess
import sys
import tempfile
import time

HEAD = ["SKU", "OfferTermCode", "RateCode", "TermType", "PriceDescription", "EffectiveDate", "StartingRange", "EndingRange", "Unit", "PricePerUnit", "Currency",
        "LeaseContractLength", "PurchaseOption", "OfferingClass", "Product Family", "serviceCode", "Location", "Instance Type", "Current Generation", "vCPU",
        "Physical Processor", "Memory", "Storage", "Network Performance", "Tenancy", "Operating System", "License Model", "CapacityStatus", "GPU",
        "Pre Installed S/W", "MarketOption", "Region Code"]


def line(i):
    gpu = i % 200 == 0
    cells = {"SKU": f"SKU{i:013d}", "OfferTermCode": "JRTCKXETXF", "RateCode": f"SKU{i:013d}.JRTCKXETXF.6YS6EN2CT7", "TermType": "OnDemand" if i % 4 == 0 else "Reserved",
             "PriceDescription": "a price per hour, of an instance", "EffectiveDate": "2026-11-01", "StartingRange": "0", "EndingRange": "Inf", "Unit": "Hrs",
             "PricePerUnit": f"{1 + i % 97}.0000000000", "Currency": "USD", "Product Family": "Compute Instance", "serviceCode": "AmazonEC2", "Location": "somewhere",
             "Instance Type": "p5.48xlarge" if gpu else "m7i.large", "Current Generation": "Yes", "vCPU": "192", "Physical Processor": "a processor", "Memory": "2,048 GiB",
             "Storage": "EBS only", "Network Performance": "Up to 12500 Megabit", "Tenancy": "Shared" if i % 3 else "Dedicated",
             "Operating System": "Linux" if i % 400 == 0 else "Windows", "License Model": "No License required", "CapacityStatus": "Used", "GPU": "8" if gpu else "",
             "Pre Installed S/W": "NA", "MarketOption": "OnDemand", "Region Code": f"region-{i // 4000 % 50}"}
    return ",".join('"%s"' % cells.get(h, "") for h in HEAD) + "\n"


def main():
    binary, megabytes = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 2048
    block = "".join(line(i) for i in range(20000)).encode()
    with tempfile.NamedTemporaryFile(prefix="gpuadvise-aws-", suffix=".csv") as f:
        f.write(b'"FormatVersion","v1.0"\n"Disclaimer","text, with a comma"\n"Publication Date","2026-11-20T10:00:00Z"\n"Version","1"\n"OfferCode","AmazonEC2"\n')
        f.write(",".join(f'"{h}"' for h in HEAD).encode() + b"\n")
        while f.tell() < megabytes << 20:
            f.write(block)
        f.flush()
        size = os.path.getsize(f.name)
        subprocess.run(["wc", "-l", f.name], check=True, capture_output=True)  # both read from the page cache, as far as it goes
        start = time.monotonic()
        subprocess.run(["wc", "-l", f.name], check=True, capture_output=True)
        wc = time.monotonic() - start
        got = json.loads(subprocess.run([binary, f.name], check=True, capture_output=True).stdout)
    print(f"{size / 1e6:.0f} MB: {got['seconds']:.2f} s ({size / 1e6 / got['seconds']:.0f} MB/s), wc -l {wc:.2f} s, ratio {got['seconds'] / wc:.1f}; "
          f"{got['rows']} rows, peak {got['peak_mb']:.0f} MB")
    return 0 if got["peak_mb"] < 64 else 1


if __name__ == "__main__":
    sys.exit(main())
