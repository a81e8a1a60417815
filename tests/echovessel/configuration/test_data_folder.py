import stat
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage

from echovessel.configuration import data_folder


def test_secret_is_made_once_and_only_its_owner_reads_it(tmp_path):
    folder = tmp_path / "new" / "data"

    secret = data_folder.load_secret_key(folder)

    assert len(secret) > 50
    assert data_folder.load_secret_key(folder) == secret
    assert stat.S_IMODE((folder / "secret_key").stat().st_mode) == 0o600
    assert [path.name for path in folder.iterdir()] == ["secret_key"]


@pytest.mark.parametrize(("left", "state"), [(b"\n", "empty"), (b"a\xff\xfe", "broken"), (b"a\0b", "broken")])
def test_secret_that_was_damaged_is_told(tmp_path, left, state):
    (tmp_path / "secret_key").write_bytes(left)

    with pytest.raises(
        ImproperlyConfigured, match=f"secret_key is {state}; put back the one that was there, or delete it"
    ):
        data_folder.load_secret_key(tmp_path)


def test_processes_that_start_together_make_one_folder_and_one_secret(tmp_path):
    together = threading.Barrier(4)

    def load(name):
        together.wait()
        return data_folder.load_secret_key(tmp_path / name / "data")

    with ThreadPoolExecutor(4) as pool:
        secrets = [set(pool.map(load, [str(number)] * 4)) for number in range(50)]

    assert [len(each) for each in secrets] == [1] * 50


def test_setup_code_is_needed_from_its_making_until_it_is_dropped(tmp_path):
    needed = [data_folder.needs_setup_code(tmp_path)]
    code = data_folder.load_setup_code(tmp_path)
    needed.append(data_folder.needs_setup_code(tmp_path))
    same = data_folder.load_setup_code(tmp_path)
    data_folder.drop_setup_code(tmp_path)
    data_folder.drop_setup_code(tmp_path)
    needed.append(data_folder.needs_setup_code(tmp_path))

    assert (needed, same) == ([False, True, False], code)


def test_folder_is_locked_for_one_at_a_time(tmp_path):
    with (
        data_folder.lock(tmp_path, patience_seconds=0),
        pytest.raises(data_folder.FolderInUseError),
        data_folder.lock(tmp_path, patience_seconds=0),
    ):
        pass
    with data_folder.lock(tmp_path, patience_seconds=0):
        pass


def test_folder_that_cannot_be_made_is_named(tmp_path):
    (tmp_path / "file").touch()

    with pytest.raises(ImproperlyConfigured, match=r"file/data' and cannot be written \(Not a directory\)"):
        data_folder.make(tmp_path / "file" / "data")


def test_secret_that_cannot_be_kept_is_refused(tmp_path):
    (tmp_path / "secret_key").mkdir()

    with pytest.raises(ImproperlyConfigured, match="cannot be written"):
        data_folder.load_secret_key(tmp_path)


def test_lock_that_cannot_be_made_is_refused(tmp_path):
    (tmp_path / "serve.lock").mkdir()

    with pytest.raises(ImproperlyConfigured, match="cannot be written"), data_folder.lock(tmp_path, patience_seconds=0):
        pass


def test_folder_that_was_open_is_made_private(tmp_path):
    (tmp_path / "media").mkdir(mode=0o755)

    made = [data_folder.make_private(tmp_path / name) for name in ("media", "new")]

    assert [stat.S_IMODE(folder.stat().st_mode) for folder in made] == [0o700, 0o700]


def test_what_people_upload_is_for_nobody_else_on_the_machine(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "media"

    name = default_storage.save("avatars/mara.webp", ContentFile(b"a picture"))

    modes = [stat.S_IMODE((settings.MEDIA_ROOT / path).stat().st_mode) for path in ("", "avatars", name)]
    assert modes == [0o700, 0o700, 0o600]
