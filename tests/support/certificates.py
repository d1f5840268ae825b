"""Certificates for tests: an authority and what it signs, as files."""

from pathlib import Path

import trustme

from services.runtime.transport import Certificates, Transport


class Authority:
    """Signs certificates for this machine and writes them into a folder."""

    def __init__(self, folder: Path) -> None:
        self._ca = trustme.CA()
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self._ca.cert_pem.write_to_path(folder / "ca.pem")

    def sign(self, name: str, *hosts: str) -> dict[str, str]:
        """Write a new certificate and return the settings that name its files; the same name is written over."""
        made = self._ca.issue_cert(*(hosts or ("127.0.0.1", "localhost")), common_name=name)
        cert, key = self._folder / f"{name}.pem", self._folder / f"{name}.key"
        made.private_key_pem.write_to_path(key)
        cert.write_bytes(b"".join(blob.bytes() for blob in made.cert_chain_pems))
        return {"tls_cert": str(cert), "tls_key": str(key), "tls_ca": str(self._folder / "ca.pem")}

    def transport(self, name: str) -> Transport:
        """Return the way to services for somebody with a certificate of that name."""
        given = self.sign(name)
        return Transport(Certificates(given["tls_cert"], given["tls_key"], given["tls_ca"]))

    def variables(self, name: str, *hosts: str) -> dict[str, str]:
        """Return the same as environment variables."""
        return {f"HAPJU_{setting.upper()}": path for setting, path in self.sign(name, *hosts).items()}
