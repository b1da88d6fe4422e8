"""Local HTTPS for tests of `prices refresh`: an authority of its own, nginx with the documented paths, and a server that misbehaves."""
import gzip
import json
import os
import shutil
import socket
import ssl
import subprocess
import threading
import time
import zipfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PAYLOADS = os.path.join(ROOT, "payloads")
INPUTS = os.path.join(ROOT, "fuzz/corpus/feeds")

# Feed document -> path on the server, payload (of tests/payloads, or a fuzz input of tests/fuzz/corpus/feeds without its first line); of a
# feed also the rows that come of it.
DOCUMENTS = {
    "azure": ("/azure/1", "azure-1.json", 6), "azure.reserved": ("/azure/reserved", "azure-reserved.json"),
    "aws": ("/aws/index.csv", "aws.csv", 5), "aws.spot": ("/aws/spot.js", "aws-spot.js"),
    "oci": ("/oci/products", "oci.json", 4), "oci.shapes": ("/oci/shapes.json", "oci-shapes.json"), "oci.parts": ("/oci/parts.json", "oci-parts.json"),
    "vultr": ("/vultr/metal", "vultr-metal.json", 6), "vultr.plans": ("/vultr/plans", "vultr-plans.json"),
    "runpod": ("/runpod", "runpod.json", 12), "vast": ("/vast", "vast.json", 3), "cloudrift": ("/cloudrift", "cloudrift.json", 2),
    "gpuhunt": ("/v3/gcp/version", "gpuhunt-version", 2),
    "skypilot": ("/catalogs/v8/gcp/vms.csv", "skypilot-gcp.csv", 5), "skypilot.verda": ("/catalogs/v8/verda/vms.csv", "skypilot-verda.csv"),
    "gpurentalprices": ("/latest.json", "gpurentalprices.json", 2),
    "scaleway": ("/scaleway/fr-par-2.json", "scaleway.json", 0),
}
KEYED = {
    "digitalocean": ("/v2/sizes", "digitalocean.json", "DIGITALOCEAN_TOKEN", b"Authorization: Bearer "),
    "hotaisle": ("/teams/available/", "hotaisle.json", "HOTAISLE_API_KEY", b"Authorization: Token "),
    "lambda": ("/instance-types", "lambda.json", "LAMBDA_API_KEY", b"Authorization: Bearer "),
    "shadeform": ("/v1/instances/types", "shadeform.json", "SHADEFORM_API_KEY", b"X-API-KEY: "),
    "hyperstack": ("/v1/pricebook", "hyperstack.json", "HYPERSTACK_API_KEY", b"api_key: "),
    "seeweb": ("/ecs/v2/plans", "seeweb.json", "SEEWEB_API_TOKEN", b"X-APITOKEN: "),
    "jarvislabs": ("/misc/server_meta", "jarvislabs.json", "JL_API_KEY", b"Authorization: Bearer "),
}
FEEDS = [name for name in DOCUMENTS if "." not in name]
ROWS = {name: row[2] for name, row in DOCUMENTS.items() if "." not in name}


def payload(name):
    path = os.path.join(PAYLOADS, name)
    with open(path if os.path.exists(path) else os.path.join(INPUTS, name), "rb") as f:
        return f.read() if os.path.exists(path) else f.read().split(b"\n", 1)[1]


def openssl(*words, folder):
    subprocess.run(["openssl", *words], cwd=folder, check=True, capture_output=True, timeout=60)


# Of an elliptic curve: made in a few milliseconds, where each of RSA takes a fifth of a second and a process of tests makes four.
KEY = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")


def make_authority(folder):
    """ca.pem, and localhost.pem, expired.pem, wrong.pem with their .key, signed by it."""
    openssl("req", "-x509", *KEY, "-keyout", "ca.key", "-out", "ca.pem", "-days", "2", "-subj", "/CN=test authority",
            "-addext", "basicConstraints=critical,CA:TRUE", folder=folder)
    for name, host in (("localhost", "localhost"), ("expired", "localhost"), ("wrong", "elsewhere.invalid")):
        openssl("req", *KEY, "-keyout", f"{name}.key", "-out", f"{name}.csr", "-subj", f"/CN={host}", folder=folder)
        with open(os.path.join(folder, f"{name}.ext"), "w", encoding="ascii") as f:
            f.write(f"subjectAltName=DNS:{host}\n")
        days = ["-days", "0" if name == "expired" else "2"]  # over as soon as it begins; OpenSSL 3.5 signs none that ends before
        openssl("x509", "-req", "-in", f"{name}.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-out", f"{name}.pem",
                "-extfile", f"{name}.ext", *days, folder=folder)


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def place_documents(root, port):
    for path, name, *_ in DOCUMENTS.values():
        target = os.path.join(root, path.lstrip("/"))
        os.makedirs(os.path.dirname(target), exist_ok=True)
        with open(target, "wb") as f:
            f.write(payload(name).replace(b"https://prices.azure.com:443/api/retail/prices?$skip=1000", b"https://localhost:%d/azure/2" % port))
    with open(os.path.join(root, "azure/2"), "wb") as f:
        f.write(payload("azure-2.json"))
    os.makedirs(os.path.join(root, "v3/gcp/20261120-7"))
    with zipfile.ZipFile(os.path.join(root, "v3/gcp/20261120-7/catalog.zip"), "w", zipfile.ZIP_DEFLATED) as z:
        z.writestr("gcp.csv", payload("gpuhunt-gcp.csv"))


NGINX = """
daemon off; worker_processes 1; pid {folder}/nginx.pid; error_log {folder}/error.log;
events {{ worker_connections 64; }}
http {{
  access_log {folder}/access.log;
  client_body_temp_path {folder}/t1; proxy_temp_path {folder}/t2; fastcgi_temp_path {folder}/t3; uwsgi_temp_path {folder}/t4; scgi_temp_path {folder}/t5;
  types {{ }} default_type application/octet-stream; gzip on; gzip_types *; gzip_min_length 1;
  server {{
    listen 127.0.0.1:{port} ssl; server_name localhost; root {folder}/www;
    ssl_certificate {folder}/localhost.pem; ssl_certificate_key {folder}/localhost.key;
    error_page 405 =200 $uri;
  }}
}}
"""


class Nginx:
    """nginx on a port of its own, serving every feed's shape; None-like when nginx is not installed: see available()."""
    def __init__(self, folder):
        self.folder, self.port = folder, free_port()
        os.chmod(folder, 0o755)  # started by root, its worker is somebody else
        place_documents(os.path.join(folder, "www"), self.port)
        with open(os.path.join(folder, "nginx.conf"), "w", encoding="ascii") as f:
            f.write(NGINX.format(folder=folder, port=self.port))
        self.process = subprocess.Popen([Nginx.path(), "-p", folder, "-c", os.path.join(folder, "nginx.conf")],
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(100):
            with socket.socket() as s:
                if s.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.05)
        raise AssertionError("nginx does not start")

    @staticmethod
    def path():
        return shutil.which("nginx", path="/usr/sbin:/usr/bin:/usr/local/sbin:" + os.environ.get("PATH", ""))

    def log(self):
        with open(os.path.join(self.folder, "access.log"), encoding="utf-8") as f:
            return [line.split('"')[2].split()[0] for line in f]

    def stop(self):
        self.process.terminate()
        self.process.wait(timeout=10)


def feed_urls(port, names=None):
    words = []
    for name, (path, *_) in DOCUMENTS.items():
        if names is None or name.split(".")[0] in names:
            words += ["--feed-url", f"{name}=https://localhost:{port}{path}"]
    return words


def good_documents(port):
    """Path -> behaviour of every feed's documents, for Misbehaving."""
    link = b"https://localhost:%d/azure/2" % port
    pages = {path: payload(name).replace(b"https://prices.azure.com:443/api/retail/prices?$skip=1000", link) for path, name, *_ in DOCUMENTS.values()}
    pages["/azure/2"] = payload("azure-2.json")
    return {path: reply(body, type="application/octet-stream") for path, body in pages.items()}


class Misbehaving:
    """Answers each path as `behaviours[path]` says: a function of (connection, request head)."""
    def __init__(self, folder, behaviours, certificate="localhost"):
        self.behaviours, self.seen = behaviours, []
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(os.path.join(folder, f"{certificate}.pem"), os.path.join(folder, f"{certificate}.key"))
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port = self.listener.getsockname()[1]
        self.stopped = False
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while not self.stopped:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    def serve(self, raw):
        try:
            raw.settimeout(60)
            with self.context.wrap_socket(raw, server_side=True) as c:
                head = b""
                while b"\r\n\r\n" not in head:
                    piece = c.recv(65536)
                    if not piece:
                        return
                    head += piece
                path = head.split(b" ")[1].decode().split("?")[0]
                head = self.with_body(c, head)
                self.seen.append((time.monotonic(), path, head))
                self.behaviours.get(path, missing)(c, head)
        except (OSError, ssl.SSLError, ValueError):
            pass

    @staticmethod
    def with_body(c, head):
        """A POST's body may come after its head."""
        names = [line for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:")]
        size = int(names[0].split(b":")[1]) if names else 0
        while len(head.split(b"\r\n\r\n", 1)[1]) < size:
            piece = c.recv(65536)
            if not piece:
                break
            head += piece
        return head

    def stop(self):
        self.stopped = True
        self.listener.close()


def reply(body, status="200 OK", type="application/json", headers="", length=None):
    body = body.encode() if isinstance(body, str) else body

    def run(c, _head):
        size = len(body) if length is None else length
        c.sendall(f"HTTP/1.1 {status}\r\nContent-Type: {type}\r\nContent-Length: {size}\r\nConnection: close\r\n{headers}\r\n".encode() + body)
    return run


missing = reply("nothing here", status="404 Not Found", type="text/plain")


def drip(c, _head):
    c.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n")
    for _ in range(90):
        c.sendall(b" ")
        time.sleep(0.5)


def gzip_bomb(megabytes):
    packed = gzip.compress(b" " * (megabytes << 20))
    return reply(packed, headers="Content-Encoding: gzip\r\n")


def brotli_stored(data):
    """A Brotli stream (RFC 7932) of stored blocks: window of 22 bits, pieces of up to 64 KiB, an empty last block."""
    out, first = b"", True
    for at in range(0, len(data), 65536):
        piece = data[at:at + 65536]
        bits = (len(piece) - 1) << 3 | 1 << 19  # not the last, four nibbles of length, stored
        out += ((bits << 4 | 0b1011) if first else bits).to_bytes(3, "little") + piece
        first = False
    return out + b"\x03"


def zstd_stored(data):
    """A Zstandard frame (RFC 8878) of raw blocks."""
    out = b"\x28\xb5\x2f\xfd\xa0" + len(data).to_bytes(4, "little")
    for at in range(0, len(data), 65536):
        piece = data[at:at + 65536]
        out += (len(piece) << 3 | (at + 65536 >= len(data))).to_bytes(3, "little") + piece
    return out


def zstd_bomb(megabytes):
    """A Zstandard frame of blocks that repeat one byte: four bytes for each 128 KiB."""
    blocks = megabytes * 8
    sizes = [(1 << 17) << 3 | 1 << 1 | (i == blocks - 1) for i in range(blocks)]
    return b"\x28\xb5\x2f\xfd\xa0" + (blocks << 17).to_bytes(4, "little") + b"".join(size.to_bytes(3, "little") + b" " for size in sizes)


def runpod_with(**changes):
    data = json.loads(payload("runpod.json"))
    data["data"]["gpuTypes"] = data["data"]["gpuTypes"][:1]
    data["data"]["gpuTypes"][0].update(changes)
    return json.dumps(data)
