"""TLS with a certificate that nobody vouches for."""

from __future__ import annotations

import datetime
import ipaddress
import ssl
from http.server import HTTPServer
from pathlib import Path
from threading import Thread

import pytest

from tests.engine.net.client.client import Connect
from tests.engine.net.client.server import Server, handler_of

x509 = pytest.importorskip("cryptography.x509")


def certificate(folder: Path) -> tuple[Path, Path]:
    """A certificate of its own authority for 127.0.0.1, and its key."""
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "biplane test")])
    now = datetime.datetime.now(datetime.UTC)
    here = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(here, critical=False)
        .sign(key, hashes.SHA256())
    )
    pem, private = folder / "certificate.pem", folder / "key.pem"
    pem.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    private.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    return pem, private


def test_it_is_refused_until_it_is_trusted(
    connect: Connect, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pem, private = certificate(tmp_path)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(pem, private)
    server = Server()
    http = HTTPServer(("127.0.0.1", 0), handler_of(server))
    http.socket = context.wrap_socket(http.socket, server_side=True)
    # A handshake that fails is the client's to tell.
    http.handle_error = lambda *_: None  # type: ignore[method-assign]
    thread = Thread(target=http.serve_forever, args=(0.01,))
    thread.start()
    try:
        url = f"https://127.0.0.1:{http.server_address[1]}"
        assert "is not trusted" in connect(url, token="t").failure()
        assert not server.heads, "nothing was sent, and the token least of all"
        monkeypatch.setenv("SSL_CERT_FILE", str(pem))
        client = connect(url)
        client.ready()
        client.say("hello")
        assert client.end().text == "You said hello."
    finally:
        http.shutdown()
        http.server_close()
        thread.join()
