"""Plain on-demand or not: each feed's own records with words of other pricing models in slugs, descriptions, flags and columns that no parser names."""
import io
import json
import zipfile

from refresh_case import RefreshCase, servers
import harness

KEYS = {"DIGITALOCEAN_TOKEN": "x", "LAMBDA_API_KEY": "x", "SHADEFORM_API_KEY": "x", "HYPERSTACK_API_KEY": "x", "VERDA_CLIENT_ID": "x", "VERDA_CLIENT_SECRET": "x"}


def droplet(slug, model, count, usd, **more):
    gb = {"amd_mi300x": 192, "amd_mi325x": 256, "amd_mi355x": 288, "nvidia_h100": 80, "nvidia_h200": 141}[model]
    return {"slug": slug, "memory": 245760, "vcpus": 20, "price_hourly": usd, "regions": ["nyc2"], "available": True,
            "gpu_info": {"count": count, "model": model, "vram": {"amount": gb * count, "unit": "gib"}}, **more}


def meter(size, region, usd, product, sku="x", **more):
    return {"currencyCode": "USD", "tierMinimumUnits": 0.0, "armRegionName": region, "unitOfMeasure": "1 Hour", "type": "Consumption", "retailPrice": usd, "unitPrice": usd,
            "effectiveStartDate": "2026-03-01T00:00:00Z", "armSkuName": size, "productName": product, "skuName": sku, "meterName": sku, **more}


class Plain(RefreshCase):
    seeded = True

    def listed(self, feed, documents, hidden=None):
        """Of a refresh from these documents, part -> (path, body): the instances by pricing model."""
        server = self.serve({path: servers.reply(body if isinstance(body, (str, bytes)) else json.dumps(body), type="application/octet-stream")
                             for path, body in [*documents.values(), *(hidden or [])]})
        words = [w for part, (path, _) in documents.items() for w in ("--feed-url", f"{feed}{'.' if part else ''}{part}=https://localhost:{server.port}{path}")]
        self.refresh(feed, *words, env={**self.only_ours(), **KEYS})
        found = {}
        for name, more in (("on-demand", []), ("spot", ["--spot"]), ("1y", ["--reserved", "1y"]), ("3y", ["--reserved", "3y"])):
            for mapped in ([], ["--unmapped"]):
                out = self.run_tool("prices", "list", "--all-regions", "--json", *more, *mapped)[1]
                found.setdefault(name, set()).update(o["instance"] or o["listed_name"] for o in harness.parse_json(out)["offers"] if o["feed"] == feed)
        return {name: offers for name, offers in found.items() if offers}

    def test_digitalocean(self):
        sizes = [droplet("gpu-mi300x1-192gb", "amd_mi300x", 1, 2.6), droplet("gpu-mi300x1-192gb-interruptible", "amd_mi300x", 1, 1.6),
                 droplet("gpu-h100x1-80gb-preemptible", "nvidia_h100", 1, 1.7), droplet("gpu-h100x8-640gb-low-priority", "nvidia_h100", 8, 14),
                 droplet("gpu-mi355x8-2304gb-fabric-contracted", "amd_mi355x", 8, 20), droplet("gpu-h200x8-1128gb-contracted", "nvidia_h200", 8, 20),
                 droplet("gpu-h100x8-640gb-fabric", "nvidia_h100", 8, 24), droplet("gpu-mi300x8-1536gb-12mo", "amd_mi300x", 8, 12),
                 droplet("gpu-mi325x1-256gb-b", "amd_mi325x", 1, 1.6, description="GPU Droplet (Spot)"), droplet("gpu-h200x1-141gb-c", "nvidia_h200", 1, 1.7, description="Contract GPU")]
        self.assertEqual(self.listed("digitalocean", {"": ("/sizes", {"sizes": sizes, "links": {"pages": {}}})}),
                         {"on-demand": {"gpu-mi300x1-192gb", "gpu-h100x8-640gb-fabric"}, "1y": {"gpu-mi300x8-1536gb-12mo"},
                          "spot": {"gpu-mi300x1-192gb-interruptible", "gpu-h100x1-80gb-preemptible", "gpu-mi325x1-256gb-b"}})

    def test_azure(self):
        mi300x, h100 = "Standard_ND96isr_MI300X_v5", "Standard_ND96isr_H100_v5"
        items = [meter("Standard_NC24ads_A100_v4", "r0", 3.6, "NCads A100 v4 Series"), meter(mi300x, "r1", 30, "ND MI300X v5 Series Cloud-Services"),
                 meter(mi300x, "r2", 30, "ND MI300X v5 Series", "ND96isr_MI300X_v5 Low-Priority"), meter(mi300x, "r3", 30, "ND MI300X v5 Series", "ND96isr_MI300X_v5 Spot"),
                 meter(h100, "r4", 30, "NDsrH100 v5 Series Dedicated Hosts"), meter(h100, "r5", 30, "NDsrH100 v5 Series Capacity Reservation"),
                 meter(h100, "losangeles", 80, "NDsrH100 v5 Series", location="Los Angeles Edge Zone")]
        self.assertEqual(self.listed("azure", {"": ("/1", {"Items": items, "NextPageLink": None}), "reserved": ("/r", {"Items": [], "NextPageLink": None})}),
                         {"on-demand": {"Standard_NC24ads_A100_v4"}, "spot": {mi300x}})

    def test_gpuhunt(self):
        head = "instance_name,location,price,cpu,memory,gpu_count,gpu_name,gpu_memory,spot,disk_size,gpu_vendor,flags,cpu_arch,provider_data\n"
        rows = ["a3-highgpu-8g,us,88.5,208,1872,8,H100,80,False,,nvidia,,x86,\"{\"\"spot\"\": false}\"", "a3-megagpu-8g,us,60,208,1872,8,H100,80,False,,nvidia,gcp-flex-start,x86,",
                "a3-ultragpu-8g,us,60,208,1872,8,H200,141,False,,nvidia,gcp-dws-flex-start,x86,", "a4-highgpu-8g,us,60,208,1872,8,B200,180,False,,nvidia,gcp-future-reservation,x86,",
                "x-8,us,20,208,1872,8,MI300X,192,False,,amd,instant-cluster,x86,"]
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as z:
            z.writestr("gcp.csv", head + "\n".join(rows) + "\n")
        self.assertEqual(self.listed("gpuhunt", {"": ("/v3/gcp/version", "7")}, [("/v3/gcp/7/catalog.zip", packed.getvalue())]), {"on-demand": {"a3-highgpu-8g"}})

    def test_skypilot(self):
        head = "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,Price,Region,GpuInfo,SpotPrice,Tier\n"
        rows = ["gpu-h100-sxm_8gpu,H100,8,128,1600,23.6,eu,,,standard", "gpu-h100-sxm_8gpu_preemptible,H100,8,128,1600,12.6,eu,,,", "gpu-h200-sxm_8gpu-1yr-upfront,H200,8,128,1600,20.6,eu,,,",
                "gpu-h200-sxm_8gpu_36months,H200,8,128,1600,18.6,eu,,,", "gpu-b200-sxm_8gpu capacity block,B200,8,128,1600,28.6,eu,,,", "gpu-b300-sxm_8gpu,B300,8,128,1600,30,eu,,,low priority"]
        self.assertEqual(self.listed("skypilot", {"": ("/catalogs/v8/nebius/vms.csv", head + "\n".join(rows) + "\n")}),
                         {"on-demand": {"gpu-h100-sxm_8gpu"}, "spot": {"gpu-h100-sxm_8gpu_preemptible"}, "1y": {"gpu-h200-sxm_8gpu-1yr-upfront"}, "3y": {"gpu-h200-sxm_8gpu_36months"}})

    def test_skypilot_names_of_runpod(self):
        """What its table means by H100 is the PCIe card, beside H100-SXM and H100-NVL."""
        head = "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,Price,Region,GpuInfo,SpotPrice\n"
        rows = ["1x_H100_SECURE,H100,1,16,128,2.4,CA,,", "1x_H100-SXM_SECURE,H100-SXM,1,16,128,2.9,CA,,", "1x_A100-80GB_SECURE,A100-80GB,1,16,128,1.7,CA,,"]
        self.listed("skypilot", {"": ("/catalogs/v8/runpod/vms.csv", head + "\n".join(rows) + "\n")})
        found = {o["instance"]: o["gpu"] for o in self.offers() if o["feed"] == "skypilot"}
        self.assertEqual(found, {"1x_H100_SECURE": "h100-pcie-80gb", "1x_H100-SXM_SECURE": "h100-sxm5-80gb", "1x_A100-80GB_SECURE": "a100-pcie-80gb"})

    def test_lambda(self):
        types = [("gpu_8x_h100_sxm5", "8x H100 (80 GB SXM5)", "H100 (80 GB SXM5)", 8), ("gpu_8x_b200_sxm6_reserved", "8x B200 (180 GB SXM6)", "B200 (180 GB SXM6)", 8),
                 ("gpu_8x_h200_sxm5", "8x H200 (141 GB SXM5), 1-Click Cluster", "H200 (141 GB SXM5)", 8), ("gpu_1x_gh200", "1x GH200 (96 GB) interruptible", "GH200 (96 GB)", 1)]
        data = {n: {"instance_type": {"name": n, "description": d, "gpu_description": g, "price_cents_per_hour": 250 * c, "specs": {"vcpus": 208, "memory_gib": 1800, "gpus": c}},
                    "regions_with_capacity_available": [{"name": "us-east-1", "description": "x"}]} for n, d, g, c in types}
        self.assertEqual(self.listed("lambda", {"": ("/t", {"data": data})}), {"on-demand": {"gpu_8x_h100_sxm5"}, "spot": {"gpu_1x_gh200"}})

    def test_shadeform(self):
        types = [("H100_sxm5", 260, 1, "H100", 80, {}), ("H100_sxm5_spot", 160, 1, "H100", 80, {}), ("MI300Xx8", 1600, 8, "MI300X", 192, {"deployment_type": "reserved"}),
                 ("B200x8", 1600, 8, "B200", 180, {"deployment_type": "cluster"}), ("H200x8", 1600, 8, "H200", 141, {"commitment": "12 Monate"}),
                 ("A100_80Gx8", 900, 8, "A100_80G", 80, {"os_options": ["ubuntu22.04", "windows"], "docs": "https://example.org/spot"})]
        full = [{"cloud": "acme", "shade_instance_type": n, "hourly_price": usd, "configuration": {"memory_in_gb": 200, "vcpus": 26, "num_gpus": c, "gpu_type": g, "interconnect": "sxm5", "vram_per_gpu_in_gb": gb},
                 "availability": [{"region": "us-1", "available": True}], **more} for n, usd, c, g, gb, more in types]
        self.assertEqual(self.listed("shadeform", {"": ("/t", {"instance_types": full})}),
                         {"on-demand": {"acme H100_sxm5", "acme A100_80Gx8"}, "spot": {"acme H100_sxm5_spot"}, "1y": {"acme H200x8"}})

    def test_vultr_hyperstack_verda_runpod(self):
        plan = {"vcpu_count": 16, "ram": 184320, "hourly_cost_preemptible": 0, "deploy_ondemand": True, "deploy_preemptible": True, "locations": ["ewr"], "gpu_brand": "NVIDIA", "gpu_vram_gb": 48, "gpu_type": "NVIDIA_L40S"}
        plans = [{"id": "vcg-l40s-16c-180g-48vram", "hourly_cost": 1.7, **plan}, {"id": "vcg-l40s-16c-180g-48vram-spot", "hourly_cost": 0.9, **plan}, {"id": "vcg-l40s-16c-180g-48vram-36mo", "hourly_cost": 1.1, **plan}]
        meta = {"meta": {"total": 1, "links": {"next": "", "prev": ""}}}
        self.assertEqual(self.listed("vultr", {"": ("/m", {"plans_metal": [], **meta}), "plans": ("/p", {"plans": plans, **meta})}),
                         {"on-demand": {plans[0]["id"]}, "spot": {plans[1]["id"]}, "3y": {plans[2]["id"]}})
        book = [{"name": n, "value": v, "start_time": None} for n, v in (("H100-80G-PCIe", "1.95"), ("A100-80G-PCIe-Preemptible", "0.9"), ("H100-80G-SXM5 Reserved 12 months", "1.8"), ("H200-141G-SXM5 (low priority)", "1.9"))]
        self.assertEqual(self.listed("hyperstack", {"": ("/b", book)}), {"on-demand": {"H100-80G-PCIe"}, "spot": {"A100-80G-PCIe-Preemptible"}, "1y": {"H100-80G-SXM5 Reserved 12 months"}})
        types = [{"instance_type": n, "description": "Dedicated Hardware Instance", "gpu": {"description": d, "number_of_gpus": 8}, "gpu_memory": {"size_in_gigabytes": gb}, "cpu": {"number_of_cores": 176},
                  "memory": {"size_in_gigabytes": 1480}, "price_per_hour": usd, "spot_price": spot, "currency": "usd"}
                 for n, d, gb, usd, spot in (("8H100.80S.176V", "8x H100 SXM5 80GB", 640, "18.40", "9"), ("8B200 cluster", "8x B200 SXM6 180GB", 1440, "30", "0"), ("8H200", "8x H200 SXM5 141GB long-term contract", 1128, "20", "0"))]
        self.assertEqual(self.listed("verda", {"token": ("/token", {"access_token": "x", "token_type": "Bearer", "expires_in": 3600}), "": ("/t", types)}),
                         {"on-demand": {"8H100.80S.176V"}, "spot": {"8H100.80S.176V"}})
        ids = [("NVIDIA H100 80GB HBM3", 80, 2.9), ("AMD Instinct MI300X OAM Interruptible", 192, 1.1), ("NVIDIA H200 Cluster", 141, 2.5)]
        gpus = [{"id": i, "memoryInGb": gb, "maxGpuCount": 1, "secureCloud": True, "communityCloud": False, "securePrice": usd, "lowestPrice": {"stockStatus": "Low"}} for i, gb, usd in ids]
        self.assertEqual(self.listed("runpod", {"": ("/g", {"data": {"gpuTypes": gpus}})}), {"on-demand": {ids[0][0]}, "spot": {ids[1][0]}})


if __name__ == "__main__":
    harness.main()
